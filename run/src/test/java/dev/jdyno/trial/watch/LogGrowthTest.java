package dev.jdyno.trial.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.Throughput;
import dev.jdyno.trial.watch.LogGrowth.LogCount;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogGrowthTest {
    private static LogGrowth each(long... lines) {
        List<LogCount> looks = new ArrayList<>();
        for (int i = 0; i < lines.length; i++) {
            looks.add(new LogCount(i + 1.0, lines[i]));
        }
        return new LogGrowth(looks);
    }

    private static Throughput throughput(LogGrowth growth) {
        return growth.throughput().orElseThrow();
    }

    @Test
    void aLogThatGrowsAllTheTimeIsCountedExactly() {
        LogGrowth steady = each(98, 103, 101, 99, 97, 102);

        assertThat(throughput(steady).perS()).isEqualTo(100);
        assertThat(throughput(steady).between()).isEmpty();
        assertThat(steady.warning(0, 0)).isEmpty();
    }

    /// Lines of 100 requests/s, written every 10 s from the third second on: the lines of 3 + 10
    /// seconds in 18 s. Lines divided by time would give 72/s.
    @Test
    void linesOfBurstsAreCountedBetweenTwoBursts() {
        LogGrowth tomcat = each(0, 0, 300, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1000, 0, 0, 0, 0, 0);

        assertThat(throughput(tomcat).perS()).isEqualTo(100);
        Interval between = throughput(tomcat).between().orElseThrow();
        assertThat(between.contains(100)).isTrue();
        assertThat(between.contains(1300 / 18.0)).isFalse();
        assertThat(tomcat.warning(0, 0).orElseThrow())
                .contains("in bursts", "90.9 to 111.1/s", "buffered");
    }

    @Test
    void singleBurstGivesOnlyUpperBound() {
        LogGrowth once = each(0, 0, 0, 0, 0, 0, 0, 900, 0, 0);

        assertThat(throughput(once).perS()).isEqualTo(90);
        assertThat(throughput(once).between()).contains(new Interval(0, 900 / 8.0));
    }

    @Test
    void reportsLogWithoutLines() {
        assertThat(throughput(each(0, 0, 0)).perS()).isZero();
        assertThat(each(0, 0, 0).warning(0, 0).orElseThrow()).contains("no line came", "in 3 s");
        assertThat(each().throughput()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0.3", "1", "2", "3", "10"})
    void randomArrivalsAreNoBursts(double perS) {
        for (int seed = 0; seed < 50; seed++) {
            RandomGenerator random = new Random(seed);
            long[] lines = new long[18];
            for (double at = next(random, perS); at < lines.length; at += next(random, perS)) {
                lines[(int) at]++;
            }
            assertThat(each(lines).inBursts()).as("%s/s, seed %d", perS, seed).isFalse();
        }
    }

    private static double next(RandomGenerator random, double perS) {
        return -Math.log(1 - random.nextDouble()) / perS;
    }

    @Test
    void rotationIsReportedAndTruncationLosesAtMostOneInterval() {
        LogGrowth steady = each(100, 110, 90, 100);

        assertThat(steady.warning(1, 0).orElseThrow()).contains("rotated", "counted to its end");
        assertThat(steady.warning(0, 1).orElseThrow())
                .contains("emptied", "100.0 to 127.5/s", "lost");
    }
}
