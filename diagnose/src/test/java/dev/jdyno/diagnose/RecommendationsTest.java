package dev.jdyno.diagnose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.diagnose.Recommendations.Aim;
import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Patient;
import dev.jdyno.measure.InsightVariant;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.statistics.CurvePoint;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.LogPart;
import dev.jdyno.measure.thread.LoggingCost;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.KnownChange;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.StandardChange;
import dev.jdyno.measure.verdict.WhatIf;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Which changes are recommended for which bottleneck, and what gain a formula predicts.
class RecommendationsTest {
    private static final Knee KNEE =
            new Knee(
                    20,
                    new Interval(19, 21),
                    100,
                    200,
                    "crossing",
                    60,
                    Optional.of(new Knee.Predicted(32, 160, false, "F1, F2")));

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNKNOWN")
    void everyBottleneckHasRecommendationWithReason(Bottleneck name) {
        List<Recommendation> recommendations = new Patient().recommendations(name);

        if (name == Bottleneck.JIT) {
            return; // recommendations follow from the observed compilers: see below
        }
        assertThat(recommendations).isNotEmpty();
        assertThat(recommendations.stream().map(Recommendation::id)).doesNotHaveDuplicates();
        assertThat(recommendations)
                .allSatisfy(p -> {
                    assertThat(p.says()).isNotBlank();
                    assertThat(p.how()).isNotBlank();
                    assertThat(p.formula()).isNotBlank();
                    assertThat(p.predictedQpsRatio().orElse(1.0)).isGreaterThanOrEqualTo(1);
                    assertThat(p.predictedRtRatio().orElse(1.0)).isBetween(0.01, 1.0);
                    assertThat(p.measuredQpsRatio()).isEmpty();
                });
    }

    @Test
    void recommendsOnlyMeasurementForUnknownBottleneck() {
        assertThat(new Patient().recommendations(Bottleneck.UNKNOWN))
                .singleElement()
                .matches(Recommendation::isMeasurement);
    }

    @ParameterizedTest
    @EnumSource(Aim.class)
    void theLargestBoundComesFirstAndUnpredictedChangesLast(Aim aim) {
        for (Bottleneck name : Bottleneck.values()) {
            var patient = new Patient();
            patient.aim = aim;
            List<Double> gains =
                    patient.recommendations(name).stream()
                            .filter(r -> !r.isMeasurement())
                            // predictions come before bounds, ordered by their lower ends
                            .filter(Recommendation::atMost)
                            // a goal without a place comes after a setting
                            .filter(r ->
                                    name != Bottleneck.GC_LIVE_SET
                                            || r.change().name() != KnownChange.LIVE_LESS)
                            .map(p ->
                                    aim == Aim.QPS
                                            ? p.predictedQpsRatio().orElse(0.0)
                                            : p.predictedRtRatio().map(r -> 1 / r).orElse(0.0))
                            .toList();
            assertThat(gains).isSortedAccordingTo((a, b) -> Double.compare(b, a));
        }
    }

    @Test
    void prefersCalibratedModelToBound() {
        var patient = new Patient();
        patient.knee = Optional.of(KNEE);
        patient.whatIf =
                Map.of(
                        StandardChange.LOCK,
                        new WhatIf(StandardChange.LOCK, 170, 120, 30, "exact MVA"));

        Recommendation recommendation = patient.recommendation(Bottleneck.LOCK, "lock-shorter");

        assertThat(recommendation.predictedQpsRatio()).contains(1.7);
        assertThat(recommendation.predictedRtRatio().orElseThrow())
                .as("no curves: what fills either goes through in that much less time")
                .isCloseTo(1 / 1.7, within(1e-9));
        assertThat(recommendation.atMost()).isFalse();
        assertThat(recommendation.formula()).isEqualTo("exact MVA");
    }

    @Test
    void comparesResponseTimesAtSameLoad() {
        var patient = new Patient();
        patient.knee =
                Optional.of(
                        new Knee(
                                1.08,
                                new Interval(1.03, 1.15),
                                45000,
                                0.026,
                                "crossing",
                                40,
                                Optional.empty(),
                                List.of(
                                        new CurvePoint(1, 22143, 0.0452),
                                        new CurvePoint(4, 45012, 0.0889))));
        patient.whatIf =
                Map.of(
                        StandardChange.CORES,
                        new WhatIf(
                                StandardChange.CORES,
                                90000,
                                0.049,
                                4.07,
                                "exact MVA",
                                List.of(
                                        new CurvePoint(1, 22143, 0.0452),
                                        new CurvePoint(4, 87089, 0.0459),
                                        new CurvePoint(8, 90000, 0.0889))));

        Recommendation recommendation = patient.recommendation(Bottleneck.CPU, "cores-double");

        assertThat(recommendation.predictedQpsRatio()).contains(2.0);
        assertThat(recommendation.predictedRtRatio().orElseThrow())
                .isCloseTo(0.0459 / 0.0889, within(1e-9));
    }

    @Test
    void recommendsThreadsUpToCpuBound() {
        var patient = new Patient();
        patient.knee = Optional.of(KNEE);
        patient.where = "http-nio-exec";

        Recommendation recommendation = patient.recommendation(Bottleneck.THREAD_POOL, "threads");

        assertThat(recommendation.change().text()).isEqualTo("threads=32");
        assertThat(recommendation.predictedQpsRatio()).contains(1.6);
        assertThat(recommendation.tryable()).isTrue();
    }

    @Test
    void quotaVerdictNamesMethodToMakeCheaper() {
        var patient = new Patient();
        patient.where = "cgroup";
        patient.evidence = Patient.half().busy(Cause.CPU, "com.acme.Page.get", 0.3);

        Recommendation halve = patient.recommendation(Bottleneck.CPU_QUOTA, "cpu-halve");
        assertThat(halve.says()).endsWith("100 % of it goes to com.acme.Page.get");
        assertThat(halve.changes())
                .containsExactly(new Change.CodeAt("com.acme.Page.get", Optional.empty(), 1));
    }

    /// Load generator and other processes use 0.05 of the two cores.
    @Test
    void raisesQuotaToFreeCoresOfMachine() {
        var patient = new Patient();
        patient.cores = 0.4;

        assertThat(
                        patient.recommendation(Bottleneck.CPU_QUOTA, "quota-raise")
                                .predictedQpsRatio()
                                .orElseThrow())
                .isCloseTo(1.95 / 0.4, within(1e-9));
    }

    @ParameterizedTest
    @CsvSource({
        // the JVM's own default: it rounds a quota up
        "1.5, Parallel, '', -XX:ParallelGCThreads=1",
        "1, Parallel, '', ''",
        "1.5, Serial, '', ''",
        "1, G1, -XX:ParallelGCThreads=4, -XX:ParallelGCThreads=1",
        "1, G1, -XX:-UseContainerSupport, '-XX:ActiveProcessorCount=1,-XX:ParallelGCThreads=1'",
        "2, G1, -XX:ActiveProcessorCount=16, '-XX:ActiveProcessorCount=2,-XX:ParallelGCThreads=2'",
        "0.5, G1, -XX:ActiveProcessorCount=16, '-XX:ActiveProcessorCount=1,-XX:ParallelGCThreads=1'"
    })
    void comparesJvmThreadsWithQuota(double quota, String collector, String flag, String wanted) {
        var patient = new Patient();
        patient.cores = quota;
        patient.collector = collector;
        patient.flags = flag.isEmpty() ? List.of() : List.of(flag);

        assertThat(
                        patient.recommendations(Bottleneck.CPU_QUOTA).stream()
                                .filter(p -> p.id().endsWith("-quota"))
                                .filter(Recommendation::tryable)
                                .map(r -> r.change().text())
                                .sorted()
                                .toList())
                .isEqualTo(wanted.isEmpty() ? List.of() : List.of(wanted.split(",")));
    }

    @ParameterizedTest
    @CsvSource({
        "EVENT_LOOP, 2, 1, -XX:ActiveProcessorCount=2",
        "GC_ALLOCATION, 2, 1, -XX:ActiveProcessorCount=2",
        "JIT, 7.5, 2, -XX:ActiveProcessorCount=7",
        // as many threads as there are cores, or less than one more core
        "EVENT_LOOP, 2, 2, ''",
        "EVENT_LOOP, 1.5, 1, ''",
        "EVENT_LOOP, 0.5, 16, ''",
        // this bottleneck does not depend on the number of threads that the JVM creates
        "LOCK, 2, 1, ''",
        "CPU, 2, 1, ''",
        "THREAD_POOL, 2, 1, ''"
    })
    void recommendsProcessorCountOfAffinity(
            Bottleneck name, double cores, int believed, String wanted) {
        var patient = new Patient();
        patient.cores = cores;
        patient.flags = List.of("-XX:ActiveProcessorCount=" + believed);

        assertThat(
                        patient.recommendations(name).stream()
                                .filter(r -> r.change().name() == KnownChange.PROCESSORS_MORE)
                                .map(r -> r.change().text())
                                .toList())
                .isEqualTo(wanted.isEmpty() ? List.of() : List.of(wanted));
    }

    @Test
    void aCollectorWithoutAYoungGenerationGetsHeap() {
        var patient = collected(0.3);
        patient.collector = "ZGC";

        assertThat(patient.recommendations(Bottleneck.GC_ALLOCATION))
                .anyMatch(p -> p.change().text().equals("-Xmx512m"))
                .noneMatch(p -> p.change().text().contains("-Xmn"));
    }

    @ParameterizedTest
    @CsvSource({
        // A request allocates 1 MB (fixture), so young has 96 MiB. Its maximum is 0.6 of the heap.
        "256, Serial, -Xmn96m",
        "128, Parallel, -Xmn96m -Xmx160m",
        "512, G1, -Xmx1024m",
    })
    void youngGenerationHoldsHundredRequests(long heap, String collector, String change) {
        var patient = collected(0.3);
        patient.heap = Optional.of(heap << 20);
        patient.collector = collector;

        Recommendation recommendation = patient.recommendation(Bottleneck.GC_ALLOCATION, "young");

        assertThat(recommendation.change().text()).isEqualTo(change);
        assertThat(recommendation.predictedQpsRatio().orElseThrow())
                .isCloseTo(1 / 0.7, within(1e-9));
        assertThat(recommendation.atMost()).isTrue();
    }

    private static Patient collected(double pauseShare) {
        var patient = new Patient();
        patient.evidence = Patient.half().gc(pauseShare, GcActivity.Why.UNKNOWN);
        return patient;
    }

    /// 50 MB of the heap's 256 MiB are live (fixture). Doubling the heap raises the free part from
    /// 0.81 to 1.81 of 256 MiB, so a request costs the collector 0.45 times as much.
    @Test
    void doubledHeapMakesCollectionsRarer() {
        Recommendation recommendation =
                collected(0.3).recommendation(Bottleneck.GC_LIVE_SET, "heap-double");

        double room = 1 - 5e7 / (256 << 20);
        double perUseful = room / (1 + room) * 0.3 / 0.7;
        assertThat(recommendation.predictedQpsRatio().orElseThrow())
                .isCloseTo(1 / (1 + perUseful) / 0.7, within(1e-9));
        assertThat(recommendation.change().text()).isEqualTo("-Xmx512m");
    }

    @Test
    void lowerConcurrencyIsMeasuredInsteadOfPredicted() {
        var patient = collected(0.3);
        patient.evidence = patient.evidence.gaveMore(150).relaxedRound(r -> r.qpsError(0.02));

        Recommendation recommendation =
                patient.recommendation(Bottleneck.GC_PROMOTION, "inside-fewer");

        assertThat(recommendation.change().text()).isEqualTo("threads=5");
        assertThat(recommendation.predictedQpsRatio()).contains(1.5);
        assertThat(recommendation.formula()).contains("measured in this run");
        // at most the throughput of the best load, and only for higher loads
        assertThat(recommendation.expected().orElseThrow().qps()).isEqualTo(150);
        assertThat(recommendation.expected().orElseThrow().atConcurrency()).isEqualTo(40);
        // the interval is that of the round at the best load
        assertThat(recommendation.expected().orElseThrow().ci95().orElseThrow().lo())
                .isCloseTo(147, within(1e-9));
    }

    @ParameterizedTest
    @CsvSource({
        "64, 2m",
        "256, 8m",
        "4096, 16m",
        "8192, 32m",
    })
    void regionsGrowWithinWhatG1Allows(long heapMib, String region) {
        var patient = collected(0.3);
        patient.heap = Optional.of(heapMib << 20);

        assertThat(patient.change(Bottleneck.GC_HUMONGOUS, "regions-larger"))
                .isEqualTo("-XX:G1HeapRegionSize=" + region);
    }

    @Test
    void recommendsConcurrentExplicitGcOnlyForG1() {
        var g1 = collected(0.3);
        g1.collector = "G1";

        assertThat(g1.change(Bottleneck.GC_EXPLICIT, "gc-ignored"))
                .isEqualTo("-XX:+ExplicitGCInvokesConcurrent");
        assertThat(collected(0.3).change(Bottleneck.GC_EXPLICIT, "gc-ignored"))
                .isEqualTo("-XX:+DisableExplicitGC");
    }

    @Test
    void removedPauseGivesItsTimeBack() {
        var patient = new Patient();
        patient.lines =
                List.of(
                        Patient.figure("safepoint-stopped", 0.1),
                        Patient.figure("safepoint-sync", 0.3));
        patient.where = "time to safepoint";

        Recommendation recommendation = patient.recommendation(Bottleneck.SAFEPOINT, "late-thread");

        assertThat(recommendation.predictedQpsRatio().orElseThrow())
                .isCloseTo(1 / 0.6, within(1e-9));
        assertThat(recommendation.predictedRtRatio().orElseThrow()).isCloseTo(0.6, within(1e-9));
    }

    @ParameterizedTest
    @CsvSource({"21.0.8, pin-lock", "23, pin-lock", "24.0.1, pin-native", "25.0.3, pin-native"})
    void pinningByMonitorsEndedWithJdk24(String jdk, String id) {
        var patient = new Patient();
        patient.jdk = jdk;

        assertThat(patient.recommendations(Bottleneck.VIRTUAL_THREAD_PINNING))
                .extracting(Recommendation::id)
                .contains(id);
    }

    @ParameterizedTest
    @CsvSource({"17.0.15, false", "1.8.0_402, false", "11.0.13, false", "21.0.8, true", "25, true"})
    void recommendsVirtualThreadsOnlyIfAvailable(String jdk, boolean has) {
        var patient = new Patient();
        patient.jdk = jdk;

        assertThat(patient.recommendations(Bottleneck.THREAD_CHURN))
                .filteredOn(c -> c.id().equals("threads-reuse"))
                .singleElement()
                .satisfies(c ->
                        assertThat(c.says().text().contains("virtual threads")).isEqualTo(has));
    }

    @Test
    void recommendsCompilerSettingsByObservedQueue() {
        var patient = new Patient();
        assertThat(patient.recommendations(Bottleneck.JIT)).allMatch(Recommendation::isMeasurement);

        patient.flags = List.of("-Xint");
        assertThat(patient.change(Bottleneck.JIT, "compiler-on")).isEqualTo("without -Xint");

        patient.flags = List.of();
        patient.evidence = Patient.half().sign(Sign.CODE_CACHE_FULL, 3).sign(Sign.JIT_CORES, 0.5);
        assertThat(patient.recommendations(Bottleneck.JIT))
                .extracting(Recommendation::id)
                .containsExactly("warm-up", "code-cache");

        patient.evidence = Patient.half().sign(Sign.INTERPRETED_SHARE, 0.8);
        assertThat(patient.recommendations(Bottleneck.JIT))
                .extracting(Recommendation::id)
                .containsExactly(KnownChange.MEASURE_NEXT.id(), "interpreted-code");
    }

    @Test
    void recommendsLargerCodeCacheIfFlagLimitsIt() {
        var patient = new Patient();
        patient.evidence = Patient.half();

        patient.flags = List.of("-XX:ReservedCodeCacheSize=6m");
        assertThat(patient.recommendation(Bottleneck.JIT, "code-cache").says())
                .endsWith("to 6.00 MiB");

        patient.flags = List.of("-XX:ReservedCodeCacheSize=512m");
        assertThat(patient.recommendations(Bottleneck.JIT)).allMatch(Recommendation::isMeasurement);
    }

    @Test
    void recommendsChangesOfCostlyLoggingConfiguration() {
        var patient = new Patient();
        patient.evidence = Patient.half().busy(Cause.LOGGING, "logback", 20);
        patient.insight =
                InsightVariant.logging(
                        new LoggingCost("logback.xml", LogPart.CALLER_DATA, "walks", "drop %C"));

        assertThat(patient.recommendation(Bottleneck.LOGGING, "logging-caller-data"))
                .satisfies(p -> {
                    assertThat(p.change().text()).isEqualTo("drop %C");
                    // half of the busy threads log, so the gain is at most a factor of two
                    assertThat(p.predictedQpsRatio().orElseThrow()).isBetween(1.2, 2.0);
                });
        assertThat(patient.recommendations(Bottleneck.LOGGING)).hasSize(2);
    }

    @Test
    void aFullQueueOfLogLinesIsEmptiedFasterOrDrops() {
        var patient = new Patient();
        patient.evidence =
                Patient.half().busy(Cause.LOGGING, "log4j2 waiting for a full queue", 40);

        assertThat(patient.recommendations(Bottleneck.LOGGING))
                .extracting(Recommendation::id)
                .contains("logging-sink", "logging-drop");
    }

    @Test
    void recommendsTurningOffDebugLogsForAnyVerdict() {
        var patient = new Patient();
        patient.evidence =
                Patient.half()
                        .busy(Cause.LOGGING, "logback formatting", 20)
                        .sign(Sign.LOGGED_LOW_SHARE, 0.9, "org.eclipse.jetty");

        assertThat(patient.recommendation(Bottleneck.LOGGING, "logging-level"))
                .satisfies(p -> {
                    assertThat(p.change().text()).isEqualTo("level of org.eclipse.jetty = INFO");
                    // formatting also uses CPU, so the gain exceeds the share of the wait
                    assertThat(p.predictedQpsRatio().orElseThrow()).isGreaterThan(1.5);
                });
        assertThat(patient.recommendations(Bottleneck.LOCK))
                .extracting(Recommendation::id)
                .contains("logging-level");

        patient.evidence = Patient.half().sign(Sign.LOGGED_LOW_SHARE, 0.9, "org.eclipse.jetty");
        assertThat(patient.recommendations(Bottleneck.LOCK))
                .extracting(Recommendation::id)
                .doesNotContain("logging-level");
    }

    @Test
    void adviceForEventLoopsFollowsTheirActivity() {
        var blocked = new Patient();
        blocked.lines = List.of(Patient.figure("loop-waiting", 0.9));
        assertThat(blocked.recommendations(Bottleneck.EVENT_LOOP))
                .extracting(Recommendation::id)
                .containsExactly("loop-unblock");

        var busy = new Patient();
        busy.lines = List.of(Patient.figure("loop-cores", 0.95));
        busy.evidence =
                Patient.half()
                        .pool(
                                new ThreadSamples.Pool(
                                        "loop", 1, 1, 0, 0, true, true, 0.95, Map.of()));
        assertThat(busy.recommendations(Bottleneck.EVENT_LOOP))
                .extracting(Recommendation::id)
                .containsExactlyInAnyOrder("loop-offload", "loops-more");
    }

    @Test
    void givesNoBoundWithoutCpuMeasurement() {
        var patient = new Patient();
        patient.evidence = EvidenceFixture.plateau().rounds(r -> r.cores(0));

        assertThat(
                        patient.recommendation(Bottleneck.EVENT_LOOP, "loop-offload")
                                .predictedQpsRatio())
                .isEmpty();
    }
}
