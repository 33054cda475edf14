package dev.jdyno.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.load.ClientSide;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.Latency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Bounds of the knee if no round lies well below it.
class AsymptotesTest {
    @Test
    void riseBeyondIntervalsIsNotFlat() {
        assertThat(noteOf(round(20, 614, 52), round(40, 715, 14), round(80, 567, 3)))
                .isEqualTo(
                        "614/s at N=20, 715/s at N=40, 567/s at N=80: no load lies well below the"
                                + " knee");
    }

    /// 2437/s is more than 2264/s, but the seconds of the round vary by more than this difference.
    @Test
    void aRiseWithinTheIntervalsIsFlat() {
        assertThat(noteOf(round(8, 2264, 40), round(16, 2250, 40), round(32, 2437, 157)))
                .isEqualTo("throughput is flat from concurrency 8 on, the lowest load tried");
    }

    /// A rate limiter admits 211.2 requests a second, and then 211.4.
    @Test
    void tinyRiseIsFlatDespiteSmallError() {
        assertThat(noteOf(round(16, 211.2, 0.05), round(32, 211.4, 0.05), round(64, 211.3, 0.05)))
                .startsWith("throughput is flat from concurrency 16 on");
    }

    /// Four threads that wait for a call: 22/s and 23/s, equal in each second.
    @Test
    void riseOfFivePercentIsFlatDespiteSmallError() {
        assertThat(noteOf(round(8, 22, 0), round(16, 22.5, 0), round(32, 23, 0)))
                .startsWith("throughput is flat from concurrency 8 on");
    }

    @Test
    void fallingThroughputIsNotFlat() {
        assertThat(noteOf(round(8, 7171, 202), round(16, 6013, 273), round(32, 5526, 190)))
                .startsWith("throughput falls from concurrency 8 on, the lowest load tried");
    }

    /// 1281/s and 1278/s, each equal in every second.
    @Test
    void tinyFallIsFlatDespiteSmallError() {
        assertThat(noteOf(round(2, 1281, 0), round(8, 1281, 0), round(32, 1278, 0)))
                .startsWith("throughput is flat from concurrency 2 on");
    }

    /// 470/s lies between 438/s and 405/s, so throughput does not fall from the lowest load on.
    @Test
    void notesThroughputThatRisesAndFalls() {
        assertThat(noteOf(round(11, 438, 30), round(22, 470, 30), round(44, 390, 10)))
                .startsWith("throughput does not keep rising from concurrency 11 on");
    }

    /// Five connections for a call of 19 ms: 196, 255 and 261/s with 4, 16 and 40 in flight. The
    /// knee is at 5.2.
    @Test
    void lowestLoadNearKneeGivesTheKneeAndALowerBoundOfIt() {
        var fit =
                Asymptotes.of(
                        List.of(round(4, 196.5, 6), round(16, 255.3, 5), round(40, 261.3, 4)));

        assertThat(fit)
                .isInstanceOfSatisfying(
                        Asymptotes.Fit.Crossing.class,
                        c -> {
                            Asymptotes a = c.asymptotes();
                            assertThat(a.kneeConcurrency()).isCloseTo(5.26, within(0.01));
                            assertThat(a.minKnee())
                                    .hasValueSatisfying(min -> assertThat(min).isBetween(2.2, 2.3));
                            assertThat(a.kneeCi95(1).lo()).isLessThanOrEqualTo(2.3);
                        });
    }

    /// With 32 in flight and a knee of 40, queueing may be most of the response time.
    @Test
    void loadAtKneeGivesNoBound() {
        assertThat(noneOf(round(32, 220, 4), round(48, 258, 4), round(96, 260, 4)).lowerLoads())
                .containsExactly(1, 16);
    }

    /// Half of one or two requests in flight is one request.
    @ParameterizedTest
    @CsvSource({"2, '1'", "3, '1 2'", "8, '1 4'"})
    void suggestsLoadsBelowLowest(int lowest, String lower) {
        KneeFinding.NotFound none =
                noneOf(round(lowest, 22, 0), round(2 * lowest, 22, 0), round(4 * lowest, 22, 0));

        assertThat(none.lowerLoads().stream().map(String::valueOf))
                .containsExactly(lower.split(" "));
    }

    /// Only more requests in flight can show the knee.
    @Test
    void aThroughputThatStillRisesAsksForNoLowerLoad() {
        assertThat(noneOf(round(4, 40, 0), round(8, 80, 0), round(16, 160, 0)).lowerLoads())
                .isEmpty();
    }

    private static KneeFinding.NotFound noneOf(Round... rounds) {
        return ((Asymptotes.Fit.None) Asymptotes.of(List.of(rounds))).why();
    }

    private static String noteOf(Round... rounds) {
        return noneOf(rounds).says();
    }

    /// @param half half the width of the 95 % interval, in requests per second
    private static Round round(int n, double qps, double half) {
        double rt = n / qps * 1000;
        return new Round(
                n,
                Optional.empty(),
                2,
                qps,
                new Interval(qps - half, qps + half),
                Math.round(qps * 2),
                0,
                Map.of(),
                Optional.empty(),
                new Latency(rt, rt, rt, rt, rt, rt),
                ClientSide.withRoom(1, 1),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of());
    }
}
