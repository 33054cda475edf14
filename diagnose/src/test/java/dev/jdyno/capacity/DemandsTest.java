package dev.jdyno.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.Slice;
import dev.jdyno.measure.TestSet;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.load.ClientSide;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.Latency;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Demand;
import dev.jdyno.measure.verdict.WhatIfChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Simulated runs of a service with known demands: a lock of 20 ms, 4 ms of CPU, a call of 50 ms
/// and 0.5 ms of collector stops.
class DemandsTest {
    private static final int SEEDS = TestSet.times(40, 400);
    private static final int SECONDS = 6;
    private static final int DUMPS = 40;
    private static final double LOCK_MS = 20;
    private static final double CPU_MS = 4;
    private static final double CALL_MS = 50;
    private static final double GC_MS = 0.5;
    private static final double PAUSE_MS = 10;
    private static final double R_MIN = LOCK_MS + CPU_MS + CALL_MS + GC_MS;
    private static final String CALL = "10.0.0.5:80";

    /// One demand of many simulated runs. The rounds of a run differ, and so do the seconds within
    /// a round.
    @ParameterizedTest(name = "{0} of {1} ms, rounds {3} apart")
    @CsvSource({
        "cpu, 4, 4, 0.05",
        "cpu, 4, 4, 0.005",
        "cpu, 4, 2, 0.05",
        "downstream, 50, 4, 0.05",
        "downstream, 50, 1, 0",
        "downstream, 50, 2, 0.05",
        "lock, 20, 4, 0.02",
        "lock, 20, 2, 0",
        "gc, 0.5, 4, 0.02",
        "gc, 0.5, 1, 0"
    })
    void intervalCoversTrueDemandInAbout95Percent(
            String resource, double truth, int roundsBelow, double apart) {
        int holds = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            // a run without a stop has no demand for the collector, and the true demand is then not
            // covered
            Optional<Demand> found = maybe(run(seed, roundsBelow, apart), resource);
            assertThat(found.filter(d -> !d.ci95().orElseThrow().contains(d.ms()))).isEmpty();
            holds += found.filter(d -> d.ci95().orElseThrow().contains(truth)).isPresent() ? 1 : 0;
        }
        // binomial error: 1.1 % of 400 seeds, 3.4 % of 40
        assertThat(holds / (double) SEEDS).isBetween(TestSet.isFull() ? 0.92 : 0.85, 1.0);
    }

    @Test
    void moreRoundsNarrowTheInterval() {
        double two = 0;
        double eight = 0;
        for (int seed = 0; seed < TestSet.times(25, 100); seed++) {
            two += demand(run(seed, 2, 0.03), "cpu").ci95().orElseThrow().width();
            eight += demand(run(seed, 8, 0.03), "cpu").ci95().orElseThrow().width();
        }
        assertThat(eight).isLessThan(two / 3);
    }

    @Test
    void everyDemandHasItsNumberOfRounds() {
        CapacityAnswer answer = run(1, 3, 0.01);

        assertThat(demand(answer, "cpu").rounds()).isEqualTo(3);
        assertThat(demand(answer, "downstream").rounds()).isEqualTo(3);
        assertThat(demand(answer, "gc").rounds()).isEqualTo(3);
        assertThat(demand(answer, "lock").rounds()).as("the plateau's").isEqualTo(3);
    }

    @Test
    void waitOfSingleRoundWithoutDumpsHasNoInterval() {
        Recording seen = recording(1, 1, 0);
        CapacityAnswer answer =
                CapacityAnalysis.of(
                        new Recording(
                                seen.machine(),
                                seen.target(),
                                seen.warmupSeconds(),
                                seen.rounds(),
                                List.of(),
                                List.of(),
                                false));

        assertThat(demand(answer, "downstream").ci95()).isEmpty();
        assertThat(demand(answer, "cpu").ci95()).isPresent();
    }

    @Test
    void averagesStopsOverRequestsOfAllRounds() {
        List<Round> rounds =
                List.of(
                        round(1, 10, 1, 0),
                        round(2, 20, 1, 0.03),
                        round(8, 45, 1, 0),
                        round(16, 46, 1, 0),
                        round(32, 46, 1, 0));

        CapacityAnswer answer = CapacityAnalysis.of(SampleRounds.recording(rounds));

        assertThat(demand(answer, "gc").ms()).isCloseTo(0.03 / 30 * 1000, within(1e-9));
        assertThat(demand(answer, "gc").ci95().orElseThrow().lo()).isZero();
    }

    /// At the limit of 2 cores, a collector stop takes both cores away from the requests.
    @Test
    void removingCollectorFreesCpuOfItsPauses() {
        var path =
                RequestPath.serial(
                        List.of(new Resource("cpu", 10, 2), new Resource("gc", 2, 1)),
                        List.of(new Delay("io", 30)));
        var problems = new dev.jdyno.measure.text.Problems();

        Prediction without =
                ServiceModel.of(path)
                        .with(List.of(new WhatIfChange.Scale("gc", 0)), problems)
                        .predict();
        Prediction half =
                ServiceModel.of(path)
                        .with(List.of(new WhatIfChange.Scale("gc", 0.5)), problems)
                        .predict();

        assertThat(problems.isEmpty()).isTrue();
        assertThat(without.qps()).isCloseTo(2000 / 6.0, within(1e-9));
        assertThat(without.minRtMs()).isCloseTo(36, within(1e-9));
        assertThat(half.qps()).isCloseTo(2000 / 8.0, within(1e-9));
    }

    private static CapacityAnswer run(int seed, int roundsBelow, double apart) {
        return CapacityAnalysis.of(recording(seed, roundsBelow, apart));
    }

    /// Rounds: one user, some below the knee of 3.7, and three at saturation.
    private static Recording recording(int seed, int roundsBelow, double apart) {
        var random = new SplittableRandom(seed);
        List<Round> rounds = new ArrayList<>();
        List<ThreadSamples> threadSamples = new ArrayList<>();
        for (int i = 0; i < roundsBelow; i++) {
            add(rounds, threadSamples, random, 1 + i % 2, apart);
        }
        for (int n : new int[] {8, 12, 16}) {
            add(rounds, threadSamples, random, n, apart);
        }
        return new Recording(
                SampleRounds.recording(rounds).machine(),
                SampleRounds.recording(rounds).target(),
                Optional.of(5.0),
                rounds,
                threadSamples,
                List.of(),
                false);
    }

    private static void add(
            List<Round> rounds,
            List<ThreadSamples> threadSamples,
            SplittableRandom random,
            int n,
            double apart) {
        double drift = 1 + apart * random.nextGaussian();
        double qps = Math.min(n / R_MIN, 1 / (LOCK_MS * drift)) * 1000;
        double cpu = CPU_MS * drift;
        List<Slice> slices = new ArrayList<>();
        double sumQps = 0;
        double sumCores = 0;
        for (int s = 0; s < SECONDS; s++) {
            double q = qps * (1 + 0.03 * random.nextGaussian());
            double c = q * cpu / 1000 * (1 + 0.03 * random.nextGaussian());
            sumQps += q / SECONDS;
            sumCores += c / SECONDS;
            slices.add(new Slice(q, n / q * 1000, Optional.of(c)));
        }
        long pauses = 0;
        double expected = sumQps * SECONDS * GC_MS / PAUSE_MS;
        for (double t = -Math.log(1 - random.nextDouble());
                t < expected;
                t -= Math.log(1 - random.nextDouble())) {
            pauses++;
        }
        double calls = CALL_MS * drift * sumQps / 1000;
        double seen = 0;
        for (int d = 0; d < DUMPS; d++) {
            seen += poisson(random, calls) / (double) DUMPS;
        }
        double queued = Math.max(0, n / sumQps * 1000 - R_MIN);
        rounds.add(
                round(
                        n,
                        sumQps,
                        sumCores,
                        pauses,
                        slices,
                        new Breakdown(
                                Map.of(
                                        Cause.DOWNSTREAM,
                                        seen / sumQps * 1000,
                                        Cause.LOCK,
                                        queued + LOCK_MS),
                                List.of(
                                        new Breakdown.Spot(
                                                Cause.DOWNSTREAM,
                                                PlaceText.place(Cause.DOWNSTREAM, CALL),
                                                CALL_MS),
                                        new Breakdown.Spot(
                                                Cause.LOCK,
                                                PlaceText.place(Cause.LOCK, "Page"),
                                                queued + 1)),
                                0)));
        threadSamples.add(
                new ThreadSamples(
                        n,
                        sumQps,
                        DUMPS,
                        1,
                        List.of(),
                        List.of(
                                new ThreadSamples.Busy(
                                        Cause.DOWNSTREAM,
                                        PlaceText.place(Cause.DOWNSTREAM, CALL),
                                        seen)),
                        0,
                        0));
    }

    private static int poisson(SplittableRandom random, double mean) {
        int n = 0;
        double p = random.nextDouble();
        while (p > Math.exp(-mean)) {
            p *= random.nextDouble();
            n++;
        }
        return n;
    }

    private static Round round(int n, double qps, double seconds, double pauseShare) {
        return SampleRounds.round(n, qps, seconds, List.of(), cpu(qps * CPU_MS / 1000))
                .withGc(
                        new GcActivity(
                                new GcActivity.Count(pauseShare > 0 ? 1 : 0, pauseShare * 1000),
                                GcActivity.Count.NONE,
                                pauseShare,
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty()));
    }

    private static Round round(
            int n, double qps, double cores, long pauses, List<Slice> slices, Breakdown breakdown) {
        double rt = n / qps * 1000;
        return new Round(
                n,
                Optional.empty(),
                SECONDS,
                qps,
                Interval.exactly(qps),
                Math.round(qps * SECONDS),
                0,
                Map.of(),
                Optional.empty(),
                new Latency(rt, rt, rt, rt, rt, rt),
                ClientSide.withRoom(10, 0.1),
                Optional.of(cpu(cores)),
                Optional.empty(),
                Optional.of(
                        new GcActivity(
                                new GcActivity.Count(pauses, pauses * PAUSE_MS),
                                GcActivity.Count.NONE,
                                pauses * PAUSE_MS / 1000 / SECONDS,
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty())),
                Optional.of(breakdown),
                slices);
    }

    private static CpuUse cpu(double cores) {
        return CpuUse.ofWholeMachine(cores, 0, 0.05, 0.05, 2, (cores + 0.1) / 2 * 100, 0, 0);
    }

    private static Demand demand(CapacityAnswer answer, String resource) {
        return maybe(answer, resource).orElseThrow();
    }

    private static Optional<Demand> maybe(CapacityAnswer answer, String resource) {
        return answer.demands().stream().filter(d -> d.resource().startsWith(resource)).findFirst();
    }
}
