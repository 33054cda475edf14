package dev.jdyno.diagnose.breakdown;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.Insight;
import dev.jdyno.measure.InsightVariant;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RoundFixture;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Place.Activity;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.PointFigure;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Contradictions that readers found in reports. Reconciliation must remove each of them.
class ClosedPointTest {
    private static final String WORK = "com.acme.Work.run";

    private static ThreadSamples window(
            int concurrency,
            double qps,
            List<ThreadSamples.Pool> pools,
            ThreadSamples.Busy... busy) {
        return new ThreadSamples(concurrency, qps, 10, 1, pools, List.of(busy), 0, 0);
    }

    private static ThreadSamples.Busy busy(Cause cause, String where, double threads) {
        return new ThreadSamples.Busy(cause, PlaceText.place(cause, where), threads);
    }

    private static ClosedPoint closed(Round round, ThreadSamples window) {
        return ClosedPoint.of(round, window, Insight.NONE);
    }

    private static double value(ClosedPoint point, String id) {
        return figure(point, id).value();
    }

    private static PointFigure figure(ClosedPoint point, String id) {
        return point.figures().stream()
                .filter(f -> f.id().id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    /// By samples, methods took 13.99 ms of CPU a request. By the clock, the request took 9.11 ms.
    @Test
    void methodsTakeNoMoreCpuThanTheRequest() {
        Round round = RoundFixture.round(20, 157).cores(9.11 * 0.157).build();
        ThreadSamples window =
                window(
                        20,
                        157,
                        List.of(),
                        busy(Cause.CPU, WORK, 13.99 * 0.157),
                        busy(Cause.DOWNSTREAM, "other:80", 17));

        ClosedPoint point = closed(round, window);

        double request = point.breakdown().ms(Cause.CPU);
        double method = point.window().threads(Cause.CPU) / round.qps() * 1000;
        assertThat(method).isLessThanOrEqualTo(request * (1 + 1e-6));
        assertThat(request).isCloseTo(9.11, within(0.5));
        assertThat(value(point, "cpu-by-samples"))
                .isLessThanOrEqualTo(value(point, "cpu-of-threads") * (1 + 1e-6));
    }

    /// Dumps found 10 threads in a run queue (64 ms a request at 157/s), but the kernel counted
    /// 0.6. The threads were blocked in native code.
    @Test
    void runQueueOfRequestsIsAtMostThatOfKernel() {
        Round round = RoundFixture.round(20, 157).cores(1.43).waitingForCores(0.6).build();
        ThreadSamples window =
                window(
                        20,
                        157,
                        List.of(),
                        busy(Cause.CPU, WORK, 1.43),
                        busy(Cause.RUN_QUEUE, "run queue", 64 * 0.157),
                        busy(Cause.DOWNSTREAM, "other:80", 8));

        ClosedPoint point = closed(round, window);

        Breakdown parts = point.breakdown();
        assertThat(parts.ms(Cause.RUN_QUEUE) * 0.157).isLessThanOrEqualTo(0.61);
        assertThat(parts.ms(Cause.OTHER)).isCloseTo(60, within(2.0));
        assertThat(point.window().threads(Cause.RUN_QUEUE)).isLessThanOrEqualTo(0.61);
        assertThat(point.reconciled().isAtFault("part:runQueue")).isTrue();
        assertThat(point.reconciled().isAtFault("run-queue")).isFalse();
        assertThat(point.window().busyThreads()).isCloseTo(window.busyThreads(), within(1e-6));
        assertThat(parts.topN())
                .anyMatch(s -> s.cause() == Cause.OTHER && s.place().is(Activity.NATIVE));
    }

    /// Native frames show 9.6 threads in a mutex of the JVM, which dumps took for threads that wait
    /// for a core. Parked threads end in the same function, but do not count.
    @Test
    void jvmMutexesAreASeparatePart() {
        Round round = RoundFixture.round(20, 157).cores(1.43).waitingForCores(0.6).build();
        ThreadSamples window =
                window(
                        20,
                        157,
                        List.of(),
                        busy(Cause.CPU, WORK, 1.43),
                        busy(Cause.RUN_QUEUE, "run queue", 10.05),
                        busy(Cause.DOWNSTREAM, "other:80", 8));
        Profile wall =
                profile(
                        node(
                                "all",
                                node(
                                        "pool",
                                        node(
                                                WORK,
                                                leaf("__pthread_mutex_lock", 96),
                                                node(
                                                        "jdk.internal.misc.Unsafe.park",
                                                        node(
                                                                "Unsafe_Park",
                                                                leaf(
                                                                        "pthread_mutex_lock",
                                                                        40)))))));

        ClosedPoint point = ClosedPoint.of(round, window, InsightVariant.profile(wall));

        assertThat(point.breakdown().ms(Cause.JVM_MUTEX) * 0.157).isCloseTo(9.6, within(0.1));
        assertThat(point.breakdown().ms(Cause.RUN_QUEUE) * 0.157).isLessThanOrEqualTo(0.61);
        assertThat(point.window().threads(Cause.JVM_MUTEX)).isCloseTo(9.6, within(1e-6));
        assertThat(point.reconciled().faults()).isEmpty();
    }

    private static Profile profile(Profile.Node root) {
        return new Profile(Profile.Kind.WALL, "async-profiler", 20, 157, 0.1, 0, root);
    }

    private static Profile.Node leaf(String frame, long samples) {
        return new Profile.Node(frame, samples, List.of());
    }

    private static Profile.Node node(String frame, Profile.Node... children) {
        return new Profile.Node(
                frame,
                Stream.of(children).mapToLong(Profile.Node::samples).sum(),
                List.of(children));
    }

    /// 70,309 exceptions a second at 39.9 a request mean 1,762 requests a second, but 1,378 were
    /// answered.
    @Test
    void eventsPerSecondAreScaledToTheThroughput() {
        Round round = RoundFixture.round(20, 1378).build();
        ThreadSamples window = window(20, 1762, List.of(), busy(Cause.CPU, WORK, 0.5));
        Insight insight =
                InsightVariant.exceptions(
                        new Insight.Thrown(5, "E", WORK, 100, 1, 99, 11),
                        new Insight.Thrown(20, "E", WORK, 5000, 0.8, 70_309, 39.9));

        List<Insight.Thrown> thrown =
                ClosedPoint.of(round, window, insight).applied(insight).exceptions();

        assertThat(thrown.get(1).perSecond() / thrown.get(1).perRequest())
                .isCloseTo(1378, within(14.0));
        assertThat(thrown.get(1).perRequest()).isEqualTo(39.9);
        assertThat(thrown.getFirst().perSecond()).isEqualTo(99);
    }

    /// 21 of 21 threads were busy with 20 requests in flight.
    @Test
    void busyThreadsAreAtMostRequestsInFlight() {
        Round round = RoundFixture.round(20, 400).build();
        ThreadSamples window =
                window(
                        20,
                        400,
                        List.of(new ThreadSamples.Pool("http-exec", 21, 21, 0, 0, true)),
                        busy(Cause.DOWNSTREAM, "other:80", 20));

        ThreadSamples.Pool pool = closed(round, window).window().pools().getFirst();

        assertThat(pool.busy()).isLessThanOrEqualTo(20.2);
        assertThat(pool.busy() + pool.idle()).isCloseTo(21, within(1e-9));
    }

    /// Each part is reduced in proportion to its uncertainty. A part based on few threads is
    /// reduced more than one based on many.
    @Test
    void reducesPartsAboveTotalByTheirErrors() {
        Round round = RoundFixture.round(20, 1000).cores(0.1).build();
        ThreadSamples window =
                window(
                        20,
                        1000,
                        List.of(),
                        busy(Cause.LOCK, "com.acme.A", 17),
                        busy(Cause.DOWNSTREAM, "other:80", 4));

        Breakdown parts = closed(round, window).breakdown();

        double whole = round.rtMs().mean();
        assertThat(parts.sumMs()).isLessThanOrEqualTo(whole * (1 + 1e-9));
        assertThat(parts.unexplainedMs()).isGreaterThanOrEqualTo(-1e-9);
        assertThat(17 - parts.ms(Cause.LOCK)).isGreaterThan(4 - parts.ms(Cause.DOWNSTREAM));
    }

    /// A window next to the round found log calls in 62.8 ms of requests that took 62.6 ms. When
    /// the time of a part of the breakdown is reduced, the times of its places are reduced in
    /// proportion.
    @Test
    void placesAddUpToTheirPart() {
        Round round = RoundFixture.round(20, 319.5).cores(0.03).build();
        ThreadSamples window =
                window(
                        20,
                        318.5,
                        List.of(),
                        busy(Cause.LOGGING, "logback", 20),
                        busy(Cause.LOGGING, "log4j", 0.02),
                        busy(Cause.CPU, "com.acme.Page.get", 0.03));

        Breakdown parts = closed(round, window).breakdown();

        assertThat(parts.sumMs()).isCloseTo(round.rtMs().mean(), within(1e-9));
        assertThat(
                        parts.topN().stream()
                                .filter(s -> s.cause() == Cause.LOGGING)
                                .mapToDouble(Breakdown.Spot::ms)
                                .sum())
                .isCloseTo(parts.ms(Cause.LOGGING), within(1e-9));
    }

    /// 64 threads for 20 requests are a gross error. The part then becomes the remainder of the
    /// others.
    @Test
    void omitsPartFarAboveTotal() {
        Round round = RoundFixture.round(20, 1000).cores(0.1).build();
        ThreadSamples window =
                window(
                        20,
                        1000,
                        List.of(),
                        busy(Cause.SLEEP, "sleep", 64),
                        busy(Cause.DOWNSTREAM, "other:80", 4));

        ClosedPoint point = closed(round, window);

        assertThat(point.reconciled().isAtFault("part:sleep")).isTrue();
        assertThat(point.breakdown().ms(Cause.DOWNSTREAM)).isCloseTo(4, within(0.1));
        assertThat(point.breakdown().sumMs()).isCloseTo(20, within(0.3));
        assertThat(point.breakdown().unexplainedMs()).isGreaterThanOrEqualTo(-1e-9);
    }

    @Test
    void consistentFiguresAreUnchanged() {
        Round round = RoundFixture.round(20, 400).cores(0.8).waitingForCores(2).build();
        ThreadSamples window =
                window(
                        20,
                        360,
                        List.of(new ThreadSamples.Pool("http-exec", 40, 18, 22, 20, true)),
                        busy(Cause.CPU, WORK, 0.7),
                        busy(Cause.RUN_QUEUE, "run queue", 1),
                        busy(Cause.DOWNSTREAM, "other:80", 15));

        ClosedPoint point = closed(round, window);

        assertThat(point.reconciled().faults()).isEmpty();
        assertThat(point.window().busy()).isEqualTo(window.busy());
        assertThat(point.window().pools()).isEqualTo(window.pools());
        assertThat(point.breakdown().ms(Cause.DOWNSTREAM)).isCloseTo(15 / 0.4, within(0.1));
        assertThat(value(point, "throughput")).isCloseTo(400, within(1e-6));
    }
}
