package dev.jdyno.diagnose;

import static dev.jdyno.measure.RoundFixture.round;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.CpuShortage;
import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.OneWindow;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Pages with some microseconds of CPU, whose threads appear in no dump, and loads that saturate
/// nothing. The page answers "ok"; client and service run on two cores.
class SmallPagesTest {
    private static final double PER_S = 45_000;

    // service and load generator together saturate the machine

    @ParameterizedTest
    @ValueSource(ints = {2, 20, 200})
    void countersShowCpuShortageIfDumpsFindFewBusyThreads(int inFlight) {
        var page =
                OneWindow.of(shared(inFlight))
                        .pool(workers(0.2, 0.75))
                        .busy(Cause.CPU, "java.util.concurrent.locks.AQS.acquire", 0.2)
                        .unread(inFlight * 0.6);

        assertThat(page.build().cpuIsShort()).isTrue();
        assertCpu(page.verdict());
    }

    /// Tomcat and Jetty with 20 connections, alone on two cores. Both sleep and wake so often that
    /// cores are idle for moments.
    @ParameterizedTest
    @CsvSource({"75934,1.18,0.53,2.50", "75580,1.14,0.56,2.24", "68942,1.10,0.45,2.44"})
    void sharedCoresCanBeShortDespiteIdleMoments(
            double perS, double service, double client, double waiting) {
        var page = handedOver(20, perS, service, client, waiting);

        assertThat(page.build().cpuUtilisation().orElseThrow()).isLessThan(0.85);
        assertCpu(page.verdict());
        assertThat(figure(page.verdict(), Figure.SHARED_CORES)).contains((service + client) / 2);
    }

    /// Undertow has two event loops, so its run queue has at most two threads. Its answers wait for
    /// a load generator that waits for a core.
    @ParameterizedTest
    @CsvSource({"20,150441,1.09,0.67,0.62,0.45", "200,156781,1.10,0.70,0.74,0.51"})
    void eventLoopsAndClientSaturateSharedCores(
            int inFlight,
            double perS,
            double service,
            double client,
            double waiting,
            double untaken) {
        var loops =
                OneWindow.of(
                                round(inFlight, perS)
                                        .cores(service)
                                        .client(client)
                                        .clientWaits(27)
                                        .waitingForCores(waiting)
                                        .build())
                        .pool(
                                new ThreadSamples.Pool(
                                        "XNIO-1 I/O",
                                        2,
                                        0.3,
                                        service,
                                        0,
                                        true,
                                        true,
                                        0.5,
                                        Map.of(Cause.CPU, 0.3)))
                        .busy(Cause.CPU, "io.undertow.io.AsyncSenderImpl.send", 0.3)
                        .sign(Sign.UNSENT_SOCKETS, untaken * inFlight)
                        .unread(inFlight * 0.2);

        assertCpu(loops.verdict());
    }

    /// The same page in other cases: with 2 connections, with few waiting threads, with a load
    /// generator on another machine, and with requests that wait for another cause.
    @Test
    void cpuIsNotShortWithoutRunQueue() {
        assertThat(handedOver(2, 30_287, 0.89, 0.37, 0.99).verdict().bottleneck())
                .isEqualTo(Bottleneck.LOAD);
        assertThat(
                        List.of(
                                handedOver(20, 75_934, 1.18, 0.53, 0.1),
                                handedOver(20, 75_934, 1.18, 0.1, 2.5),
                                handedOver(20, 75_934, 0.8, 0.5, 2.5),
                                handedOver(20, 75_934, 1.18, 0.53, 2.5)
                                        .busy(Cause.DOWNSTREAM, "10.0.0.7:80", 12)))
                .extracting(e -> e.verdict().bottleneck())
                .doesNotContain(Bottleneck.CPU);
    }

    private static OneWindow handedOver(
            int inFlight, double perS, double service, double client, double waiting) {
        return OneWindow.of(
                        round(inFlight, perS)
                                .cores(service)
                                .client(client)
                                .waitingForCores(waiting)
                                .build())
                .pool(workers(0.2, 0.75))
                .busy(Cause.CPU, "com.acme.Page.get", 0.2)
                .busy(Cause.RUN_QUEUE, "run queue", 0.4)
                .unread(inFlight * 0.2);
    }

    @Test
    void verdictOnSharedCoresHasSharesOfCoresAndSystemCalls() {
        var cpu = OneWindow.of(shared(20)).pool(workers(0.2, 0.75)).unread(12).verdict();

        assertThat(figure(cpu, Figure.CLIENT_CORES)).contains(0.85);
        assertThat(figure(cpu, Figure.SYSTEM_SHARE)).contains(0.6 / 0.95);
    }

    @Test
    void loopsThatIdleBetweenPagesCanLackCores() {
        var loops =
                OneWindow.of(shared(200))
                        .pool(
                                new ThreadSamples.Pool(
                                        "loop",
                                        2,
                                        0.4,
                                        1.6,
                                        0,
                                        true,
                                        true,
                                        0.9,
                                        Map.of(Cause.CPU, 0.4)))
                        .busy(Cause.CPU, "sun.nio.ch.SocketDispatcher.write0", 0.4)
                        .sign(Sign.HOTTEST_THREAD_CORES, 0.47)
                        .unread(60);

        assertCpu(loops.verdict());
    }

    @Test
    void virtualThreadsMissingInDumpsCanLackCores() {
        var virtual =
                OneWindow.of(shared(200))
                        .pool(
                                new ThreadSamples.Pool(
                                        "carriers", 2, 0, 2, 2, false, false, 0.9, Map.of()))
                        .sign(Sign.VIRTUAL_THREADS, 200)
                        .sign(Sign.PINNED_THREADS, 0)
                        .sign(Sign.REQUESTS_INSIDE, 120);

        assertCpu(virtual.verdict());
    }

    @Test
    void separateClientCoresAreNotReportedAsShared() {
        Round apart = round(20, PER_S).cores(1.93).client(0.9).left(2).build();

        var cpu = OneWindow.of(apart).pool(workers(0.3, 1.9)).unread(10).verdict();

        assertCpu(cpu);
        assertThat(cpu.evidence()).noneMatch(Figure.CLIENT_CORES::isOf);
    }

    /// Calls to other machines use no core here. While compilers run, the service uses all the CPU
    /// that is left.
    @Test
    void countersShowNoCpuShortageWithWaitersOrNeighbours() {
        var calling =
                OneWindow.of(shared(20))
                        .pool(workers(18, 0.7))
                        .busy(Cause.DOWNSTREAM, "10.0.0.7:80", 18);
        var compiling =
                OneWindow.of(shared(20))
                        .pool(workers(0.5, 0.2))
                        .busy(Cause.OTHER, "park", 1)
                        .sign(Sign.JIT_CORES, 0.6);
        var beside =
                OneWindow.of(
                                round(20, PER_S)
                                        .cores(0.56)
                                        .client(0.3)
                                        .others(1.1)
                                        .waitingForCores(0.1)
                                        .build())
                        .pool(workers(0.9, 0.5))
                        .busy(Cause.CPU, "com.acme.Page.get", 0.9);

        assertThat(List.of(calling, compiling, beside))
                .allMatch(e -> e.build().cpuUtilisation().orElseThrow() >= 0.85)
                .noneMatch(e -> e.build().cpuIsShort());
    }

    /// By the kernel's counters, its threads wait for cores that other processes use. Without
    /// waiting threads, the service has all the CPU that it needs.
    @Test
    void otherProcessesTakeCpuOnlyIfThreadsWaitForCores() {
        assertThat(besideNeighbours(1.9).verdict().bottleneck())
                .isEqualTo(Bottleneck.CPU_NEIGHBOUR);
        assertThat(besideNeighbours(0.2).build().cpuIsShort()).isFalse();
        assertThat(
                        besideNeighbours(1.9)
                                .busy(Cause.DOWNSTREAM, "10.0.0.7:80", 18)
                                .build()
                                .cpuIsShort())
                .isFalse();
    }

    private static OneWindow besideNeighbours(double waiting) {
        return OneWindow.of(
                        round(20, PER_S)
                                .cores(0.79)
                                .client(0.29)
                                .others(0.89)
                                .waitingForCores(waiting)
                                .build())
                .pool(workers(0.2, 0.5))
                .busy(Cause.RUN_QUEUE, "run queue", 0.2)
                .unread(3);
    }

    // a reason is a figure below its limit

    /// All busy threads wait for a core, but they are fewer than two cores with neighbours would
    /// need.
    @Test
    void reportsReasonThatDecided() {
        Evidence few =
                OneWindow.of(
                                round(1, PER_S)
                                        .cores(0.72)
                                        .client(0.42)
                                        .others(0.86)
                                        .waitingForCores(0.45)
                                        .build())
                        .pool(workers(0.9, 0.45))
                        .busy(Cause.CPU, "com.acme.Page.get", 0.9)
                        .build();

        var enough = new CpuShortage(few).enough().orElseThrow();

        assertThat(new CpuShortage(few).onOrWaitingForCpu()).contains(1.0);
        assertThat(enough.ofBusy()).isFalse();
        assertThat(Diagnosis.of(few).runnersUp())
                .filteredOn(r -> r.bottleneck() == Bottleneck.CPU)
                .singleElement()
                .satisfies(r -> assertThat(r.decided().orElseThrow().isBelow()).isTrue());
    }

    // a load that saturates no resource

    /// Undertow with neighbours: too few threads wait for a core, and one of two requests is in
    /// transit.
    @Test
    void twoRequestsWithOneInTransitDoNotQueue() {
        assertLoad(
                OneWindow.of(
                                round(2, PER_S)
                                        .cores(0.47)
                                        .client(0.3)
                                        .others(1.22)
                                        .waitingForCores(0.78)
                                        .build())
                        .pool(workers(0.17, 0.36))
                        .busy(Cause.CPU, "com.acme.Page.get", 0.17)
                        .sign(Sign.REQUESTS_INSIDE, 1.5)
                        .unread(0.5)
                        .verdict());
    }

    @Test
    void singleRequestIsLimitedByLoadWithBreakdownFromCounters() {
        var load =
                OneWindow.of(round(1, PER_S).cores(0.55).client(0.4).build())
                        .pool(workers(0.2, 0.5))
                        .busy(Cause.CPU, "sun.nio.ch.EventFD.set0", 0.2)
                        .sign(Sign.UNSENT_SOCKETS, 0.5)
                        .unread(0.6)
                        .verdict();

        assertLoad(load);
        assertThat(figure(load, Figure.LONE_REQUEST)).contains(1000 / PER_S);
        assertThat(load.evidence())
                .anySatisfy(l -> {
                    assertThat(l.id()).isEqualTo("lone-request-client");
                    assertThat(l.value()).isEqualTo(0.4 / PER_S * 1000);
                });
    }

    @Test
    void singleRequestIsLimitedByLoadDespiteNeighbours() {
        assertLoad(
                OneWindow.of(
                                round(1, PER_S)
                                        .cores(0.72)
                                        .client(0.42)
                                        .others(0.86)
                                        .waitingForCores(0.45)
                                        .build())
                        .pool(workers(0.2, 0.45))
                        .busy(Cause.CPU, "com.acme.Page.get", 0.2)
                        .unread(0.6)
                        .verdict());
    }

    @Test
    void namesWaitOfSlowPageAtOneRequestInFlight() {
        var breakdown =
                new Breakdown(
                        Map.of(Cause.DOWNSTREAM, 48.0, Cause.CPU, 1.0),
                        List.of(
                                new Breakdown.Spot(
                                        Cause.DOWNSTREAM,
                                        PlaceText.place(Cause.DOWNSTREAM, "10.0.0.7:80"),
                                        48)),
                        1);
        var load =
                OneWindow.of(round(1, 20).cores(0.02).anatomy(breakdown).build())
                        .pool(workers(0.96, 0.02))
                        .busy(Cause.DOWNSTREAM, "10.0.0.7:80", 0.96)
                        .verdict();

        assertLoad(load);
        assertThat(load.evidence())
                .anyMatch(l -> l.id().equals("lone-request-downstream") && l.value() == 48);
    }

    @Test
    void namesCpuIfOneRequestUsesAllCores() {
        assertCpu(
                OneWindow.of(round(1, 20).cores(1.9).client(0.01).build())
                        .pool(workers(2, 1.9))
                        .busy(Cause.CPU, "com.acme.Page.sum", 2)
                        .verdict());
    }

    @Test
    void aLoadThatIsGivenTwiceIsOneLoad() {
        assertLoad(
                OneWindow.of(round(8, 160).cores(0.1).build(), round(8, 161).cores(0.1).build())
                        .pool(workers(7.6, 0.1))
                        .busy(Cause.DOWNSTREAM, "10.0.0.7:80", 7.6)
                        .verdict());
    }

    @Test
    void twoSmallLoadsOnASlowServiceAreTheLoadsLimit() {
        assertLoad(
                OneWindow.of(round(1, 20).cores(0.02).build(), round(2, 40).cores(0.04).build())
                        .pool(workers(1.9, 0.04))
                        .busy(Cause.DOWNSTREAM, "10.0.0.7:80", 1.9)
                        .verdict());
    }

    @Test
    void rateFarBelowCapacityIsLoadLimitWithOrWithoutThreads() {
        Round slow = round(1, 50).cores(0.03).build();

        assertLoad(OneWindow.of(slow.atRate(50)).verdict());
        assertLoad(
                OneWindow.of(slow.atRate(50)).busy(Cause.CPU, "com.acme.Page.get", 0.1).verdict());
    }

    @Test
    void unservedRateIsNoLoadLimit() {
        Round behind = round(40, 50).cores(0.03).build().atRate(500);

        assertThat(
                        OneWindow.of(behind)
                                .pool(workers(10, 0.03))
                                .busy(Cause.LOCK, "com.acme.Ledger in com.acme.Ledger.add", 9)
                                .busy(Cause.SLEEP, "sleep in com.acme.Ledger.add", 1)
                                .unread(29)
                                .verdict()
                                .bottleneck())
                .isNotEqualTo(Bottleneck.LOAD);
    }

    /// No thread waits, and the CPU is mostly idle, so the requests wait at an unknown place.
    @Test
    void unservedRateIsNotLimitedByLoad() {
        Round behind = round(40, 50).cores(0.03).build().atRate(500);

        assertThat(OneWindow.of(behind).pool(workers(0.1, 0.03)).verdict().bottleneck())
                .isNotEqualTo(Bottleneck.LOAD);
    }

    @Test
    void errorsDoNotMakeLoadTheLimit() {
        Round failing = round(1, 50).cores(0.03).errors(3_000).build();

        assertThat(OneWindow.of(failing).verdict().bottleneck()).isNotEqualTo(Bottleneck.LOAD);
    }

    @Test
    void queuedRequestsAreNoLoadLimit() {
        var queue =
                OneWindow.of(round(20, 100).cores(0.1).build()).pool(workers(0.5, 0.1)).unread(15);

        assertThat(queue.verdict().bottleneck()).isNotEqualTo(Bottleneck.LOAD);
    }

    // shares of few observations

    @Test
    void singleObservationIsNoShareOfBusyThreads() {
        Evidence once =
                OneWindow.of(round(20, PER_S).cores(0.5).build())
                        .busy(Cause.LOCK, "java.lang.Object in com.acme.Page.get", 4 / 12.0)
                        .build();

        assertThat(once.busyShare(Cause.LOCK)).isEmpty();
        assertThat(Diagnosis.of(once).bottleneck()).isNotEqualTo(Bottleneck.LOCK);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8, 20})
    void repliesInTransitAreNoSlowClients(int inFlight) {
        var fast =
                OneWindow.of(round(inFlight, PER_S).cores(0.5).client(0.4).build())
                        .pool(workers(0.2, 0.5))
                        .sign(Sign.UNSENT_SOCKETS, 0.6 * inFlight);

        assertThat(fast.verdict().bottleneck()).isNotEqualTo(Bottleneck.NETWORK);
    }

    @Test
    void slowClientsAreTheNetwork() {
        var slow =
                OneWindow.of(round(20, 400).cores(0.2).build())
                        .pool(workers(0.2, 0.2))
                        .sign(Sign.UNSENT_SOCKETS, 18);

        assertThat(slow.verdict().bottleneck()).isEqualTo(Bottleneck.NETWORK);
    }

    @Test
    void theOnlyRequestOfALoadDoesNotQueueForAThread() {
        var single = new ThreadSamples.Pool("single", 1, 0.45, 0.55, 0, true, false, 0.4, Map.of());

        assertLoad(
                OneWindow.of(round(1, PER_S).cores(0.5).client(0.4).build())
                        .pool(single)
                        .busy(Cause.CPU, "com.acme.Page.get", 0.45)
                        .unread(0.3)
                        .verdict());
    }

    @Test
    void singleRequestWithoutThreadIsNotRateLimited() {
        var lone =
                OneWindow.of(round(1, 100).cores(0.1).client(0.1).build())
                        .calls("10.0.0.7:80", 4, 0.01)
                        .sign(Sign.REQUESTS_INSIDE, 0.95);

        assertLoad(lone.verdict());
    }

    private static Round shared(int inFlight) {
        return round(inFlight, PER_S).cores(0.95).system(0.6).client(0.85).others(0.1).build();
    }

    private static ThreadSamples.Pool workers(double busy, double cores) {
        return new ThreadSamples.Pool(
                "http-nio-exec", 30, busy, 30 - busy, 5, true, false, cores, Map.of());
    }

    private static void assertCpu(Verdict verdict) {
        assertThat(verdict.bottleneck()).as(verdict.says().text()).isEqualTo(Bottleneck.CPU);
        assertThat(verdict.confidence()).isGreaterThanOrEqualTo(0.7);
    }

    private static void assertLoad(Verdict verdict) {
        assertThat(verdict.bottleneck()).as(verdict.says().text()).isEqualTo(Bottleneck.LOAD);
        assertThat(verdict.confidence()).isGreaterThanOrEqualTo(Diagnosis.NAMED_FROM);
    }

    private static Optional<Double> figure(Verdict verdict, Figure figure) {
        return verdict.evidence().stream()
                .filter(figure::isOf)
                .map(Verdict.EvidenceLine::value)
                .findFirst();
    }
}
