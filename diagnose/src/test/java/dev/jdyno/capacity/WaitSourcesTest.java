package dev.jdyno.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.jdyno.measure.Insight;
import dev.jdyno.measure.InsightVariant;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.PoolQueue;
import dev.jdyno.measure.thread.SamplesVariant;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Demand;
import dev.jdyno.measure.verdict.Demand.Source;
import dev.jdyno.measure.verdict.StandardChange;
import dev.jdyno.measure.verdict.WhatIf;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// 5 connections, each held for 22 ms: a sleep of 20.3 ms and a call of 1.5 ms. 12 dumps give 17.7
/// ms for the sleep, with which 227/s need only 4 connections.
class WaitSourcesTest {
    private static final double HELD_MS = 22;
    private static final double DUMPS_MS = 17.7;
    private static final int UNITS = 5;
    private static final int DUMPS = 12;

    @Test
    void theMoreExactSourceDecidesTheSizeOfAPool() {
        CapacityAnswer answer = run(waits(20.3, 0.4, 1.0), List.of());

        Demand pool = demand(answer, "pool");
        assertThat(pool.units()).isEqualTo(UNITS);
        assertThat(pool.ms()).isCloseTo(HELD_MS, withPercentage(3));
        assertThat(changed(answer, StandardChange.POOL).qps())
                .isCloseTo(2 * UNITS / HELD_MS * 1000, withPercentage(4));
        Demand sleep = demand(answer, "sleep");
        assertThat(sleep.ms()).isBetween(19.5, 20.3);
        assertThat(sleep.sources())
                .extracting(Source::reason)
                .containsOnly(Source.Reason.STANDARD_ERROR);
        assertIsTheWeightedMean(sleep);
        assertIsTheWeightedMean(pool);
    }

    @Test
    void usesDumpsWithoutWaitTimes() {
        CapacityAnswer answer =
                run(
                        List.of(
                                new Insight.Wait(
                                        2, Cause.SLEEP, "sleep", 100, 20.3, Optional.empty())),
                        List.of());

        assertThat(demand(answer, "pool").units()).isEqualTo(UNITS - 1);
        assertThat(demand(answer, "sleep").sources()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        // the recording misses waits of 3 ms that are shorter than its threshold
        "3, 6, SHORT_WAITS",
        // 3.2 and 17.7 ms differ by more than three standard errors, so the recording shows another
        // wait
        "4, 0.8, SOURCES_DISAGREE"
    })
    void prefersDumpsIfRecordingMayContainOtherWaits(
            double meanMs, double perRequest, Source.Reason why) {
        CapacityAnswer answer = run(waits(meanMs, 0.1, perRequest), List.of());

        Demand sleep = demand(answer, "sleep");
        assertThat(sleep.ms()).isCloseTo(DUMPS_MS, within(1e-9));
        assertThat(sleep.sources()).extracting(Source::reason).containsOnly(why);
        assertIsTheWeightedMean(sleep);
    }

    @Test
    void trustsSizeReportedByPool() {
        var reported =
                new PoolQueue(
                        "HikariPool-1",
                        PoolQueue.Kind.LENT,
                        Optional.of((double) UNITS),
                        Optional.of(4.9),
                        Optional.of(10.0),
                        false,
                        "HikariCP's MBean");

        CapacityAnswer answer = run(List.of(), List.of(reported));

        Demand pool = demand(answer, "pool");
        assertThat(pool.units()).isEqualTo(UNITS);
        assertThat(pool.sources())
                .filteredOn(s -> s.weight() > 0)
                .extracting(Source::kind)
                .containsExactly(Source.Kind.REPORTED_SIZE);
        assertIsTheWeightedMean(pool);
    }

    @Test
    void poolWithFreeMembersIsNoLimit() {
        var reported =
                new PoolQueue(
                        "HikariPool-1",
                        PoolQueue.Kind.LENT,
                        Optional.of(20.0),
                        Optional.of(2.0),
                        Optional.of(0.0),
                        false,
                        "HikariCP's MBean");

        assertThat(demand(run(List.of(), List.of(reported)), "pool").units()).isEqualTo(UNITS - 1);
    }

    /// The recorded times give 4.6 holders. The dumps under load show 3.5 threads that may hold a
    /// connection. The dumps decide, so the recorded times get no weight.
    @Test
    void sourcesHaveNoWeightIfTheDumpsLimitTheHolders() {
        CapacityAnswer answer =
                run(
                        waits(20.3, 0.4, 1.0),
                        last ->
                                samples(
                                        last,
                                        3.5,
                                        new ThreadSamples.Busy(
                                                Cause.POOL,
                                                PlaceText.place(Cause.POOL, "Hikari"),
                                                18)));

        Demand pool = demand(answer, "pool");
        assertThat(pool.units()).isCloseTo(3.5, within(1e-9));
        assertThat(pool.sources())
                .filteredOn(s -> s.weight() > 0)
                .extracting(Source::kind)
                .containsExactly(Source.Kind.HOLDERS);
        assertThat(pool.sources())
                .extracting(Source::reason)
                .containsOnly(Source.Reason.HOLDERS_SEEN);
        assertIsTheWeightedMean(pool);
    }

    private static void assertIsTheWeightedMean(Demand d) {
        double mean = d.sources().stream().mapToDouble(s -> s.weight() * s.ms()).sum();
        assertThat(mean).as(d.resource()).isCloseTo(d.ms(), within(1e-9));
    }

    /// @param perRequest number of waits in one request
    private static List<Insight.Wait> waits(double meanMs, double stdDevMs, double perRequest) {
        return List.of(
                new Insight.Wait(
                        2,
                        Cause.SLEEP,
                        "sleep",
                        800,
                        meanMs * perRequest,
                        Optional.of(new Insight.WaitLength(meanMs, stdDevMs))));
    }

    private static CapacityAnswer run(List<Insight.Wait> waits, List<PoolQueue> reported) {
        return run(
                waits,
                last ->
                        SamplesVariant.withQueues(
                                samples(last), reported.toArray(PoolQueue[]::new)));
    }

    /// @param saturated changes the diagnostic window of the last round
    private static CapacityAnswer run(
            List<Insight.Wait> waits, Function<Round, ThreadSamples> saturated) {
        var path =
                RequestPath.serial(
                        List.of(new Resource("cpu", 0.5, 2), new Resource("pool", HELD_MS, UNITS)),
                        List.of());
        List<Round> rounds =
                new SampleRounds(path, 0.5, 0.01, 1)
                        .at(1, 2, 8, 16, 24).recording().rounds().stream()
                                .map(r -> r.withBreakdown(anatomy(r.rtMs().mean())))
                                .toList();
        List<ThreadSamples> threadSamples =
                List.of(samples(rounds.get(1)), saturated.apply(rounds.getLast()));
        Recording recording = SampleRounds.recording(rounds);
        return CapacityAnalysis.of(
                recording
                        .withThreadSamples(threadSamples)
                        .withInsight(InsightVariant.waits(waits)));
    }

    private static ThreadSamples samples(Round r) {
        return samples(r, r.qps() * DUMPS_MS / 1000);
    }

    private static ThreadSamples samples(Round r, double sleeping, ThreadSamples.Busy... others) {
        List<ThreadSamples.Busy> busy = new ArrayList<>(List.of(others));
        busy.add(
                new ThreadSamples.Busy(
                        Cause.SLEEP, PlaceText.place(Cause.SLEEP, "sleep"), sleeping));
        return new ThreadSamples(r.concurrency(), r.qps(), DUMPS, 1, List.of(), busy, 0, 0);
    }

    private static Breakdown anatomy(double rtMs) {
        return new Breakdown(
                Map.of(
                        Cause.CPU,
                        0.5,
                        Cause.SLEEP,
                        DUMPS_MS,
                        Cause.DOWNSTREAM,
                        1.5,
                        Cause.POOL,
                        Math.max(0, rtMs - 22.5)),
                List.of(new Breakdown.Spot(Cause.POOL, PlaceText.place(Cause.POOL, "Hikari"), 20)),
                0);
    }

    private static Demand demand(CapacityAnswer answer, String kind) {
        return answer.demands().stream()
                .filter(d -> d.resource().startsWith(kind))
                .findFirst()
                .orElseThrow();
    }

    private static WhatIf changed(CapacityAnswer answer, StandardChange change) {
        return Optional.ofNullable(answer.whatIf().get(change)).orElseThrow();
    }
}
