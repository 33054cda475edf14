package dev.jdyno.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.verdict.Demand;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.StandardChange;
import dev.jdyno.measure.verdict.WhatIfChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceModelTest {
    private static final int[] LADDER = {1, 2, 4, 8, 12, 16, 24, 32, 48, 64};

    /// A run of one service predicts a changed service. The exact model of the changed one is the
    /// truth. The three cases of experiment E1 are included.
    @ParameterizedTest(name = "{2}")
    @CsvSource({"5,80,cpu*0.5", "10,40,delay*0.5", "20,80,cpu*2", "10,160,delay*2", "10,0,delay*0"})
    void changedServiceMatchesPrediction(double cpuMs, double ioMs, String change) {
        Prediction predicted = predict(measured(10, 80), change);

        Knee truth = knee(sample(cpuMs, ioMs).recording());
        assertThat(predicted.qps()).isCloseTo(truth.qps(), withPercentage(10));
        assertThat(predicted.rtMs()).isCloseTo(truth.rtMs(), withPercentage(20));
        assertThat(predicted.kneeConcurrency()).isCloseTo(truth.concurrency(), withPercentage(15));
    }

    @Test
    void modelReproducesMeasurementWithoutChange() {
        Knee knee = knee(sample(10, 80).recording());

        Prediction p = measured(10, 80).predict();

        assertThat(p.qps()).isCloseTo(knee.qps(), withPercentage(0.1));
        assertThat(p.kneeConcurrency()).isCloseTo(knee.concurrency(), withPercentage(0.1));
        assertThat(p.rtMs()).isCloseTo(knee.rtMs(), withPercentage(3));
        assertThat(p.extrapolation()).isEmpty();
    }

    @Test
    void doubledCoresDoubleThroughputAsExtrapolation() {
        ServiceModel model = measured(10, 80);

        Prediction p = predict(model, "cores=4");

        assertThat(p.qps() / model.predict().qps()).isCloseTo(2, withPercentage(0.1));
        assertThat(p.extrapolation()).hasValueSatisfying(e -> assertThat(e).contains("throughput"));
        assertThat(p.asWhatIf(StandardChange.CORES, List.of()).formula()).contains("extrapolated");
    }

    /// 10 threads, each busy for at least 90 ms: Tomcat's thread pool limits, not the cores.
    @Test
    void moreThreadsOrShorterWaitsHelpIfThreadsLimit() {
        RequestPath path =
                RequestPath.serial(
                        List.of(new Resource("cpu", 10, 2)), List.of(new Delay("io", 80)));
        double qps = ClosedNetwork.of(path).at(10).qps();
        Knee knee = kneeAt(qps, 90);
        List<Demand> demands =
                List.of(new Demand("cpu", 10, Optional.of(Interval.exactly(10)), 3, 2, 0.5));

        ServiceModel model = ServiceModel.of(knee, demands, rounds(path), 2, true);

        assertThat(model.places()).hasValue(10);
        assertThat(model.predict().bottleneck()).isEqualTo("threads");
        assertThat(predict(model, "threads=14").qps())
                .isCloseTo(ClosedNetwork.of(path).at(14).qps(), withPercentage(1));
        assertThat(predict(model, "threads=100").bottleneck()).isEqualTo("cpu");
        assertThat(predict(model, "delay*0.5").qps()).isGreaterThan(1.4 * qps);
    }

    @Test
    void poolSizeLimitsConcurrencyOfDownstream() {
        var path =
                RequestPath.serial(
                        List.of(new Resource("cpu", 1, 2)),
                        List.of(new Delay("downstream:db:5432", 50)));
        Prediction p = predict(ServiceModel.of(path), "pool=30");

        assertThat(p.qps()).isEqualTo(600);
        assertThat(p.bottleneck()).isEqualTo("downstream:db:5432");
    }

    @Test
    void unknownLimitKeepsItsMeasuredValue() {
        RequestPath path =
                RequestPath.serial(
                        List.of(new Resource("cpu", 10, 2)), List.of(new Delay("io", 80)));
        List<Demand> demands =
                List.of(new Demand("cpu", 10, Optional.of(Interval.exactly(10)), 3, 2, 0.3));

        ServiceModel model = ServiceModel.of(kneeAt(60, 90), demands, rounds(path), 2, false);

        assertThat(model.predict().bottleneck()).isEqualTo(Calibration.UNKNOWN);
        assertThat(predict(model, "cpu*0.5").qps()).isCloseTo(60, withPercentage(0.1));
        assertThat(predict(model, "cpu*10").bottleneck()).isEqualTo("cpu");
    }

    @Test
    void removingTheOnlyLimitIsRefused() {
        var problems = new Problems();

        ServiceModel.of(RequestPath.serial(List.of(new Resource("cpu", 10, 2)), List.of()))
                .with(List.of(new WhatIfChange.Scale("cpu", 0)), problems);

        assertThat(problems.list())
                .singleElement()
                .satisfies(p -> assertThat(p.what()).contains("only"));
    }

    /// A single request takes 2.9 ms. All but 0.2 ms of it is CPU time under a lock, so lock time
    /// and CPU time are mostly the same time.
    @Test
    void cpuUnderLockCountsOnceAndShrinksWithHoldTime() {
        ServiceModel model = given(370, 2.9, busy("cpu", 2.86, 1.94), busy("lock:Ledger", 2.7, 1));

        assertThat(model.predict().kneeConcurrency()).isCloseTo(370 * 0.0029, withPercentage(1));
        assertThat(predict(model, "lock*0.2").qps()).isCloseTo(5 * 370, withPercentage(1));
        assertThat(predict(model, "lock*0.2").rtMs()).isLessThan(1.5);
        assertThat(predict(model, "cpu*0.5").qps()).isCloseTo(370 * 2.7 / 1.37, withPercentage(1));
        assertThat(predict(model, "cores=4").qps()).isCloseTo(370, withPercentage(1));
    }

    /// A call under a lock: the lock is held as long as the call takes.
    @Test
    void fasterCallInLockShortensHoldTime() {
        ServiceModel model =
                given(
                        220,
                        5.7,
                        busy("cpu", 1, 1.7),
                        waited("downstream:h:80", 4.6),
                        busy("lock:Rates", 1000 / 220.0, 1));

        assertThat(model.predict().kneeConcurrency()).isCloseTo(220 * 0.0057, withPercentage(4));
        assertThat(predict(model, "downstream:h*0.5").qps()).isCloseTo(440, withPercentage(3));
        assertThat(predict(model, "lock*0.5").qps()).isCloseTo(440, withPercentage(1));
        assertThat(predict(model, "lock*0.5").rtMs()).isLessThan(4.5);
    }

    /// A saturated downstream limits throughput by its own time. Other parts of a breakdown that
    /// exceeds the response time are noise.
    @Test
    void downstreamWaitUsesNoCpu() {
        ServiceModel model =
                given(
                        90,
                        57,
                        busy("cpu", 1.5, 1.7),
                        busy("downstream:h:80", 56, 5.04),
                        busy("gc", 0.5, 1),
                        waited("network", 8));

        assertThat(predict(model, "network*0").qps()).isCloseTo(90, withPercentage(1));
        assertThat(predict(model, "downstream*0.5").qps()).isCloseTo(180, withPercentage(1));
    }

    /// A lock held over a sleep of 10 ms. The few dumps of a single user measure the sleep badly,
    /// those under overload measure it well.
    @Test
    void overloadIdentifiesWaitThatHoldsLock() {
        Breakdown seen =
                new Breakdown(
                        Map.of(Cause.SLEEP, 11.2, Cause.DOWNSTREAM, 21.0, Cause.LOCK, 95.0),
                        List.of(),
                        0);
        ServiceModel model =
                given(
                        91.6,
                        33.7,
                        Optional.of(seen),
                        busy("cpu", 2.5, 1.9),
                        waited("downstream:h:80", 25.1),
                        waited("sleep", 5.6),
                        busy("lock:Page", 10.9, 1));

        assertThat(model.predict().kneeConcurrency()).isCloseTo(3.09, withPercentage(2));
        assertThat(predict(model, "cpu*0.5").qps()).isCloseTo(91.6, withPercentage(1));
        assertThat(predict(model, "lock*0.5").qps()).isCloseTo(183, withPercentage(1));
    }

    /// The wake-up of the next owner takes the same time after a shorter hold time.
    @Test
    void handOverTimeStaysIfHoldTimeGetsShorter() {
        Breakdown seen =
                new Breakdown(
                        Map.of(Cause.SLEEP, 10.7, Cause.RUN_QUEUE, 0.8, Cause.LOCK, 51.0),
                        List.of(),
                        0);
        ServiceModel model =
                given(
                        93.5,
                        33,
                        Optional.of(seen),
                        busy("cpu", 2.5, 1.9),
                        waited("downstream:h:80", 20),
                        waited("sleep", 10.7),
                        busy("lock:Page", 10.7, 1));

        assertThat(predict(model, "lock*0.5").qps())
                .isCloseTo(1000 / ((10.7 - 0.8) / 2 + 0.8), withPercentage(0.5));
        assertThat(predict(model, "lock*0.5").formula())
                .contains("0.8 ms of that are the hand-over of the lock");
        assertThat(predict(model, "lock=2").qps()).isCloseTo(187, withPercentage(0.5));
        assertThat(predict(model, "lock*0").bottleneck()).isEqualTo("cpu");
        assertThat(model.predict().qps()).isCloseTo(93.5, withPercentage(0.1));
    }

    /// Threads also wait for a core at the lowest load. Only the additional wait under load belongs
    /// to the lock.
    @ParameterizedTest(name = "run queue {0} ms under the least load")
    @CsvSource({"1.2, 0.4", "0, 1.6", "1.6, 0", "3, 0"})
    void handOverExcludesRunQueueOfLowestLoad(double calmMs, double handOverMs) {
        var calm = new Breakdown(Map.of(Cause.CPU, 7.0, Cause.RUN_QUEUE, calmMs), List.of(), 0);
        var seen = new Breakdown(Map.of(Cause.RUN_QUEUE, 1.6, Cause.LOCK, 64.0), List.of(), 0);
        var path =
                RequestPath.serial(
                        List.of(new Resource("cpu", 10, 2)), List.of(new Delay("io", 1)));
        List<Round> rounds = rounds(path);
        rounds.add(rounds.removeLast().withBreakdown(seen));
        rounds.addFirst(rounds.removeFirst().withBreakdown(calm));

        ServiceModel model =
                ServiceModel.of(
                        kneeAt(158, 33),
                        List.of(busy("cpu", 1, 1.9), busy("lock:Ledger", 6.33, 1)),
                        rounds,
                        2,
                        false);

        assertThat(predict(model, "lock*0.5").qps())
                .isCloseTo(1000 / ((6.33 - handOverMs) / 2 + handOverMs), withPercentage(0.5));
    }

    /// Measured: 239/s with 4 ms of CPU under the lock and little else in a request, and 446/s with
    /// half of that. The run queue grew by 1.75 ms, but the time of a single request leaves only
    /// 0.3 ms for it.
    @Test
    void handOverFitsIntoTimeOfSingleRequest() {
        Breakdown seen =
                new Breakdown(Map.of(Cause.RUN_QUEUE, 1.83, Cause.LOCK, 77.4), List.of(), 0);
        ServiceModel model =
                given(
                        239,
                        4.1,
                        Optional.of(seen),
                        busy("cpu", 3.98, 1.94),
                        busy("lock:Ledger", 4.15, 1));

        assertThat(predict(model, "lock*0.5").qps()).isCloseTo(446, withPercentage(5));
    }

    /// Dumps show that all threads are busy, while the saturation of the CPU is only a calculation.
    @Test
    void observedThreadLimitHoldsDespiteNearlySaturatedCpu() {
        var path =
                RequestPath.serial(
                        List.of(new Resource("cpu", 10, 2)), List.of(new Delay("io", 1)));

        ServiceModel model =
                ServiceModel.of(
                        kneeAt(168, 36),
                        List.of(busy("cpu", 1.8, 0.33), waited("downstream:h:80", 33)),
                        rounds(path),
                        2,
                        true);

        assertThat(model.places()).isPresent();
        assertThat(model.path().bottleneck().maxQps()).isCloseTo(183, withPercentage(1));
    }

    /// Between whole numbers of requests, the response time is interpolated linearly, as between
    /// rounds.
    @Test
    void interpolatesQueueingAtFractionalKnee() {
        ServiceModel model =
                ServiceModel.of(
                        RequestPath.serial(
                                List.of(new Resource("pool", 15, 4)), List.of(new Delay("io", 1))));

        double four = model.queueingMs(4);
        double five = model.queueingMs(5);
        assertThat(four).isLessThan(1e-9);
        assertThat(five).isGreaterThan(1);
        assertThat(model.queueingMs(4.25))
                .isCloseTo(four + 0.25 * (five - four), withPercentage(1e-6));
        assertThat(model.queueingMs(0.3)).as("one request at least").isEqualTo(model.queueingMs(1));
    }

    /// If the cores are saturated, the wait for a core does not belong to the lock.
    @Test
    void handOverIsAtMostHalfOfLockTime() {
        var seen = new Breakdown(Map.of(Cause.RUN_QUEUE, 30.0, Cause.LOCK, 51.0), List.of(), 0);
        ServiceModel model =
                given(100, 20, Optional.of(seen), busy("cpu", 2, 1.9), busy("lock:Page", 10, 1));

        assertThat(predict(model, "lock*0.5").qps()).isCloseTo(1000 / 7.5, withPercentage(0.5));
    }

    /// A wait that is longer than the lock is held happens outside of the lock.
    @Test
    void keepsTimeOfCallOutsideLock() {
        ServiceModel model =
                given(
                        20,
                        150,
                        busy("cpu", 20, 1.9),
                        waited("downstream:h:80", 80),
                        waited("sleep", 50),
                        busy("lock:Page", 50, 1));

        assertThat(model.predict().kneeConcurrency()).isCloseTo(3, withPercentage(2));
        assertThat(predict(model, "downstream*0.5").qps()).isCloseTo(20, withPercentage(1));
        assertThat(predict(model, "lock*0.2").qps()).isGreaterThan(90);
    }

    @Test
    void changedPoolSizeKeepsTimeOfItsCalls() {
        ServiceModel model =
                given(
                        290,
                        17.5,
                        busy("cpu", 0.6, 1.6),
                        waited("downstream:h:80", 16.5),
                        busy("pool:Apache-HttpClient-5 in a.B", 5000 / 290.0, 5));

        assertThat(predict(model, "pool=10").qps()).isCloseTo(580, withPercentage(1));
        assertThat(predict(model, "downstream*0.5").qps()).isCloseTo(560, withPercentage(2));
        assertThat(predict(model, "pool=30").kneeConcurrency()).isCloseTo(30, withPercentage(5));
    }

    private static ServiceModel given(double qps, double minRtMs, Demand... demands) {
        return given(qps, minRtMs, Optional.empty(), demands);
    }

    /// @param busiest the breakdown at the highest load
    private static ServiceModel given(
            double qps, double minRtMs, Optional<Breakdown> busiest, Demand... demands) {
        var path =
                RequestPath.serial(
                        List.of(new Resource("cpu", 10, 2)), List.of(new Delay("io", 1)));
        List<Round> rounds = rounds(path);
        busiest.ifPresent(a -> rounds.add(rounds.removeLast().withBreakdown(a)));
        return ServiceModel.of(kneeAt(qps, minRtMs), List.of(demands), rounds, 2, false);
    }

    private static Demand busy(String name, double ms, double units) {
        return new Demand(name, ms, Optional.of(Interval.exactly(ms)), 3, units, 1);
    }

    private static Demand waited(String name, double ms) {
        return new Demand(
                name, ms, Optional.of(Interval.exactly(ms)), 3, Double.POSITIVE_INFINITY, 0);
    }

    private static SampleRounds sample(double cpuMs, double ioMs) {
        var path =
                RequestPath.serial(
                        List.of(new Resource("cpu", cpuMs + 1, 2)), List.of(new Delay("io", ioMs)));
        return new SampleRounds(path, cpuMs, 0.01, 1).at(LADDER);
    }

    private static ServiceModel measured(double cpuMs, double ioMs) {
        Recording recording = sample(cpuMs, ioMs).recording();
        CapacityAnswer answer = CapacityAnalysis.of(recording);
        return ServiceModel.of(
                answer.knee().orElseThrow(), answer.demands(), recording.rounds(), 2, false);
    }

    private static Knee knee(Recording recording) {
        return CapacityAnalysis.of(recording).knee().orElseThrow();
    }

    private static Knee kneeAt(double qps, double minRtMs) {
        double n = qps * minRtMs / 1000;
        return new Knee(n, Interval.exactly(n), qps, minRtMs, "test", 1, Optional.empty());
    }

    private static List<Round> rounds(RequestPath path) {
        return new ArrayList<>(
                new SampleRounds(path, 10, 0, 1).at(1, 2, 4, 8, 16).recording().rounds());
    }

    private static Prediction predict(ServiceModel model, String change) {
        var problems = new Problems();
        Prediction p =
                model.with(WhatIfChange.parse(change, problems).stream().toList(), problems)
                        .predict();
        assertThat(problems.list()).isEmpty();
        return p;
    }
}
