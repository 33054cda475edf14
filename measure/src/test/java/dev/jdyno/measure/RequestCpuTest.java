package dev.jdyno.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.SamplesVariant;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/// The part of the target's CPU time that grows with its requests.
class RequestCpuTest {
    private static final Offset<Double> CLOSE = Offset.offset(1e-9);

    private static ThreadSamples window(int n, double compilers, double collectors, double all) {
        var pool =
                new ThreadSamples.Pool(
                        "exec", 10, 1, 9, 8, true, false, all, Map.of(Cause.CPU, 0.1));
        return SamplesVariant.withSignals(
                new ThreadSamples(n, 100, 10, 1, List.of(pool), List.of(), 0, 0),
                new Signals(Map.of(Sign.JIT_CORES, compilers, Sign.GC_CORES, collectors)));
    }

    @Test
    void excludesCompilersAndIncludesCollector() {
        Round round = RoundFixture.round(4, 100).cores(0.6).build();

        assertThat(RequestCpu.ms(round, List.of(window(4, 0.4, 0.1, 0.45))).orElseThrow())
                .isCloseTo(2, CLOSE);
        assertThat(RequestCpu.ms(round, List.of(window(8, 0.4, 0.1, 0.45))).orElseThrow())
                .as("no window counted compilers at this load")
                .isCloseTo(6, CLOSE);
    }

    @Test
    void cpuOfOtherThreadsIsAtLeastTheKernelsCount() {
        Round round = RoundFixture.round(4, 100).cores(0.6).build();

        assertThat(RequestCpu.ms(round, List.of(window(4, 0.5, 0.1, 0.8))).orElseThrow())
                .isCloseTo(4, CLOSE);
    }

    @Test
    void settledRoundsHaveLeastCpuAndNoErrors() {
        List<Round> rounds =
                List.of(
                        RoundFixture.round(1, 100).cores(0.5).build(),
                        RoundFixture.round(2, 200).cores(0.42).build(),
                        RoundFixture.round(4, 400).cores(0.4).build(),
                        RoundFixture.round(8, 390).cores(0.42).build(),
                        RoundFixture.round(16, 400).cores(0.1).errors(2000).build());

        assertThat(RequestCpu.settled(rounds, List.of()))
                .extracting(Round::concurrency)
                .containsExactly(4, 8);
    }
}
