package dev.jdyno.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.judge.ResultFixture;
import dev.jdyno.judge.ResultVariants;
import dev.jdyno.measure.OperatingPoint;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Whether a downstream takes more time under load. The fixture spends 80.3 ms of a request in its
/// downstream at each load.
class DownstreamTextTest {
    private static RunResult limitedBy(Bottleneck name) {
        return ResultVariants.with(
                new Verdict(name, "", 0.9, Sentence.of("says"), List.of(), List.of()));
    }

    /// Three cases: the downstream itself, and a thread pool or a connection pool in front of it.
    @ParameterizedTest
    @EnumSource(names = {"DOWNSTREAM", "THREAD_POOL", "CONNECTION_POOL"})
    void constantReplyTimeShowsNoLimit(Bottleneck name) {
        assertThat(DownstreamText.of(limitedBy(name)).orElseThrow())
                .contains("80.3 ms", "N=1", "take as long");
    }

    private static RunResult slower(double factor) {
        RunResult r = limitedBy(Bottleneck.DOWNSTREAM);
        Round now = r.operatingPoint().map(OperatingPoint::round).orElseThrow();
        Map<Cause, Double> slow = new EnumMap<>(Cause.class);
        slow.put(Cause.DOWNSTREAM, factor * 80.3);
        List<Round> rounds =
                r.rounds().stream()
                        .map(x ->
                                x.concurrency() == now.concurrency()
                                        ? x.withBreakdown(
                                                new Breakdown(slow, List.of(), 0, Optional.empty()))
                                        : x)
                        .toList();

        return ResultVariants.withRounds(r, rounds);
    }

    @Test
    void slowerRepliesUnderLoadProveNoMoreCapacity() {
        assertThat(DownstreamText.of(slower(1.5)).orElseThrow())
                .contains("50 % longer", "120 ms", "only take longer");
    }

    @Test
    void eachTimeHasItsLoad() {
        assertThat(DownstreamText.of(slower(1.5)).orElseThrow())
                .contains(
                        "120 ms of a request at N=20 (20.9 calls at a time)",
                        "80.3 ms at N=1 (0.9 calls at a time)");
    }

    @Test
    void theLowestLoadMayHaveNoCalls() {
        RunResult r = slower(1.5);
        List<Round> rounds =
                r.rounds().stream()
                        .map(x ->
                                x.concurrency() == 1
                                        ? x.withBreakdown(
                                                new Breakdown(
                                                        Map.of(Cause.CPU, 1.0),
                                                        List.of(),
                                                        0,
                                                        Optional.empty()))
                                        : x)
                        .toList();

        assertThat(DownstreamText.of(ResultVariants.withRounds(r, rounds)))
                .contains(
                        "Not known whether the called services can take more: the breakdown at N=1"
                                + " has no time in calls");
    }

    /// Readers compare the two times, so a difference below the limit is printed, too.
    @Test
    void aSmallDifferenceIsPrintedAsItIs() {
        assertThat(DownstreamText.of(slower(1.12)).orElseThrow())
                .contains("12 % longer")
                .doesNotContain("only take longer");
    }

    @Test
    void isUnknownWithoutLowerLoad() {
        RunResult r = limitedBy(Bottleneck.DOWNSTREAM);
        int now = r.operatingPoint().map(OperatingPoint::concurrency).orElseThrow();
        List<Round> rounds = r.rounds().stream().filter(x -> x.concurrency() >= now).toList();

        assertThat(DownstreamText.of(ResultVariants.withRounds(r, rounds)).orElseThrow())
                .contains("Not known");
    }

    @Test
    void downstreamIsIrrelevantForCpuLimit() {
        assertThat(DownstreamText.of(ResultFixture.e1())).isEmpty();
    }
}
