package dev.jdyno.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.load.ClientSide;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.Latency;
import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.SamplesVariant;
import dev.jdyno.measure.thread.Signals;
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

class ForeignLoadVerdictTest {
    private static Evidence seen(double cores, ThreadSamples.Busy... busy) {
        var round =
                new Round(
                        1,
                        Optional.empty(),
                        10,
                        0,
                        new Interval(0, 0),
                        0,
                        0,
                        Map.of(),
                        Optional.empty(),
                        Latency.NONE,
                        ClientSide.withRoom(0, 0),
                        Optional.of(CpuUse.ofWholeMachine(cores, 0, 0, 0, 4, cores * 25, 0, 0)),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of());
        var pool = new ThreadSamples.Pool("exec", 50, 10, 40, 30, true);
        var threadSamples = new ThreadSamples(1, 0, 20, 1, List.of(pool), List.of(busy), 0, 0);
        return new Evidence(
                List.of(round),
                round,
                Optional.empty(),
                Optional.of(threadSamples),
                Optional.empty(),
                Optional.empty());
    }

    private static ThreadSamples.Busy busy(Cause cause, double threads) {
        return new ThreadSamples.Busy(cause, PlaceText.place(cause, "there"), threads);
    }

    @ParameterizedTest
    @CsvSource({
        "DOWNSTREAM, DOWNSTREAM",
        "DATABASE, DATABASE",
        "SLEEP, RATE_LIMIT",
        "DISK, DISK",
        "DNS, DNS",
        "THREAD_START, THREAD_CHURN",
        "CLASS_LOADING, CLASS_LOADING",
        "POOL, CONNECTION_POOL"
    })
    void namesWaitOfMostRequests(Cause cause, Bottleneck name) {
        Verdict verdict = ForeignLoadVerdict.of(seen(0.4, busy(cause, 8), busy(Cause.CPU, 2)), 10);

        assertThat(verdict.bottleneck()).isEqualTo(name);
        assertThat(verdict.where()).isEqualTo("there");
        assertThat(verdict.evidence()).isNotEmpty();
    }

    /// A dashboard calls three services one after the other. Each call takes a third of the time.
    @Test
    void reportsAllPlacesOfSharedWait() {
        Verdict verdict =
                ForeignLoadVerdict.of(
                        seen(
                                0.4,
                                at("10.0.0.7:80", 3.5),
                                at("10.0.0.8:80", 3.2),
                                at("10.0.0.9:80", 0.3)),
                        8);

        assertThat(verdict.where()).isEqualTo("10.0.0.7:80");
        assertThat(verdict.says()).contains("(10.0.0.7:80: 3.5, 10.0.0.8:80: 3.2)");
    }

    private static ThreadSamples.Busy at(String where, double threads) {
        return new ThreadSamples.Busy(
                Cause.DOWNSTREAM, PlaceText.place(Cause.DOWNSTREAM, where), threads);
    }

    /// An asynchronous client: the calls are in progress, and no thread waits for them.
    @Test
    void connectionsAllInUseMayBeAPool() {
        Evidence seen = seen(0.1, busy(Cause.DOWNSTREAM, 8), busy(Cause.CPU, 1));
        ThreadSamples threadSamples = seen.saturated().orElseThrow();

        assertThat(
                        ForeignLoadVerdict.of(
                                        with(
                                                seen,
                                                threadSamples,
                                                new Calls(PlaceText.peer("there"), 8, 7.9, 8)),
                                        9)
                                .evidence())
                .anyMatch(e -> e.says().text().contains("other requests wait for a connection"));
        assertThat(
                        ForeignLoadVerdict.of(
                                        with(
                                                seen,
                                                threadSamples,
                                                new Calls(PlaceText.peer("there"), 20, 8, 20)),
                                        9)
                                .evidence())
                .anyMatch(
                        e -> e.says().text().equals("8.0 of 20 connections there await an answer"));
    }

    private static Evidence with(Evidence seen, ThreadSamples threadSamples, Calls calls) {
        return new Evidence(
                seen.rounds(),
                seen.plateau(),
                seen.doubled(),
                Optional.of(SamplesVariant.withCalls(threadSamples, calls)),
                seen.relaxed(),
                seen.knee());
    }

    private static Evidence with(
            Evidence seen, int inFlight, double unread, Signals signals, ThreadSamples.Pool pool) {
        ThreadSamples threadSamples = seen.saturated().orElseThrow();
        return new Evidence(
                seen.rounds(),
                seen.plateau(),
                seen.doubled(),
                Optional.of(
                        new ThreadSamples(
                                inFlight,
                                0,
                                20,
                                1,
                                List.of(pool),
                                threadSamples.busy(),
                                unread,
                                0,
                                threadSamples.calls(),
                                signals)),
                seen.relaxed(),
                seen.knee());
    }

    private static ThreadSamples.Pool pool(int size, boolean loop) {
        return new ThreadSamples.Pool(
                "exec", size, size, 0, 0, true, loop, 0.1, Map.of(Cause.DOWNSTREAM, (double) size));
    }

    /// Requests that no process has read yet do not wait for the downstream. Most of them wait for
    /// the threads that do.
    @ParameterizedTest
    @CsvSource({"true, EVENT_LOOP", "false, THREAD_POOL"})
    void unreadRequestsWaitBehindWaitingThreads(boolean loop, Bottleneck name) {
        Evidence seen = seen(0.1, busy(Cause.DOWNSTREAM, 2));
        Verdict verdict =
                ForeignLoadVerdict.of(with(seen, 32, 30, Signals.NONE, pool(2, loop)), 32);

        assertThat(verdict.bottleneck()).isEqualTo(name);
        assertThat(verdict.says()).doesNotContain("twice the load");
    }

    /// Undertow's workers have their own queue, so the requests in it are already read.
    @Test
    void queuedRequestsWaitForThreadsOfService() {
        Evidence seen = seen(0.1, busy(Cause.DOWNSTREAM, 4));
        Verdict verdict =
                ForeignLoadVerdict.of(with(seen, 20, 0, Signals.NONE, pool(4, false)), 20);

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.THREAD_POOL);
    }

    /// A reactive driver: no thread waits for a connection or for the answer.
    @Test
    void attributesRequestsWithoutThreadToPoolInFullUse() {
        Evidence seen = seen(0.2, busy(Cause.CPU, 0.3));
        var pool = new ThreadSamples.Pool("loop", 2, 0.3, 1.7, 0, true, true, 0.2, Map.of());
        Evidence loaded = with(seen, 20, 0, new Signals(Map.of(Sign.REQUESTS_INSIDE, 20.0)), pool);
        ThreadSamples threadSamples =
                SamplesVariant.withCalls(
                        loaded.saturated().orElseThrow(),
                        new Calls(PlaceText.peer("there"), 5, 4.9, 5, true));
        Verdict verdict =
                ForeignLoadVerdict.of(
                        new Evidence(
                                loaded.rounds(),
                                loaded.plateau(),
                                loaded.doubled(),
                                Optional.of(threadSamples),
                                loaded.relaxed(),
                                loaded.knee()),
                        20);

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.CONNECTION_POOL);
        assertThat(verdict.says()).contains("all 5 connections").doesNotContain("twice the load");
    }

    @Test
    void unreadRequestsWithoutKnownCauseGiveNoVerdict() {
        Evidence seen = seen(0.1, busy(Cause.DOWNSTREAM, 2));
        Verdict verdict =
                ForeignLoadVerdict.of(
                        with(
                                seen,
                                32,
                                30,
                                Signals.NONE,
                                new ThreadSamples.Pool("exec", 50, 10, 40, 30, true)),
                        32);

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.UNKNOWN);
    }

    @Test
    void unreadResponsesAreAtMostHundredPercent() {
        Signals unsent = new Signals(Map.of(Sign.UNSENT_SOCKETS, 14.2));
        Verdict verdict =
                ForeignLoadVerdict.of(
                        with(seen(0.1, busy(Cause.CPU, 0.1)), 1, 0, unsent, pool(1, false)), 0.6);

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.NETWORK);
        assertThat(verdict.says()).contains("100 %").doesNotContain("load generator");
    }

    @Test
    void runnersUpExcludeVerdict() {
        Verdict verdict = ForeignLoadVerdict.of(seen(0.4, busy(Cause.DOWNSTREAM, 8)), 8);

        assertThat(verdict.runnersUp()).noneMatch(r -> r.bottleneck() == verdict.bottleneck());
    }

    @Test
    void delayHasLowerConfidenceThanQueue() {
        Verdict delay = ForeignLoadVerdict.of(seen(0.4, busy(Cause.DOWNSTREAM, 8)), 8);
        Verdict queue = ForeignLoadVerdict.of(seen(0.4, busy(Cause.POOL, 8)), 8);

        assertThat(delay.confidence()).isLessThan(queue.confidence());
        assertThat(delay.says()).contains("only a load test can show");
    }

    @Test
    void namesQueueWithEquallyManyHolders() {
        Verdict verdict =
                ForeignLoadVerdict.of(seen(0.4, busy(Cause.SLEEP, 6), busy(Cause.POOL, 6)), 12);

        assertThat(verdict.bottleneck()).isIn(Bottleneck.CONNECTION_POOL, Bottleneck.RATE_LIMIT);
        assertThat(verdict.confidence()).isGreaterThanOrEqualTo(0.5);
    }

    @Test
    void anIdleServiceHasNoBottleneckButItsLoad() {
        Verdict verdict = ForeignLoadVerdict.of(seen(0.1, busy(Cause.DOWNSTREAM, 0.2)), 0.2);

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.LOAD);
        assertThat(verdict.says()).contains("Nothing is saturated");
    }

    @Test
    void resourceAtItsLimitNeedsNoDoubledLoad() {
        Verdict verdict =
                ForeignLoadVerdict.of(seen(3.95, busy(Cause.CPU, 4), busy(Cause.RUN_QUEUE, 6)), 10);

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.CPU);
    }

    private static Verdict verdict(
            Map<Sign, Double> signs, double cores, ThreadSamples.Busy... busy) {
        Evidence alone = seen(cores, busy);
        ThreadSamples threadSamples = alone.saturated().orElseThrow();
        var with =
                new ThreadSamples(
                        1,
                        0,
                        20,
                        1,
                        threadSamples.pools(),
                        threadSamples.busy(),
                        0,
                        0,
                        List.of(),
                        new Signals(signs, Map.of()));
        return ForeignLoadVerdict.of(
                new Evidence(
                        alone.rounds(),
                        alone.plateau(),
                        Optional.empty(),
                        Optional.of(with),
                        Optional.empty(),
                        Optional.empty()),
                10);
    }

    /// If requests were not counted, the evidence has no figures per request.
    @ParameterizedTest
    @CsvSource({
        "CLASSES_LOADED_PER_S, 8400, CLASS_LOADING, 8400 classes are loaded per second",
        "THREADS_STARTED_PER_S, 12000, THREAD_CHURN, 12000 threads are started per second"
    })
    void reportsRatesPerSecondWithoutRequestCounts(
            Sign sign, double perS, Bottleneck named, String says) {
        Verdict verdict = verdict(Map.of(sign, perS), 1.7, busy(Cause.CPU, 1.7));

        assertThat(verdict.bottleneck()).isEqualTo(named);
        assertThat(verdict.says()).contains(says);
    }

    @Test
    void lockWithoutThroughputHasNoTimePerRequest() {
        Verdict verdict = verdict(Map.of(), 0.3, busy(Cause.LOCK, 9));

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.LOCK);
        assertThat(verdict.evidence()).allMatch(e -> Double.isFinite(e.value()));
    }

    @Test
    void namesCpuWithoutRequestCounts() {
        Verdict verdict = verdict(Map.of(), 3.9, busy(Cause.CPU, 3.9));

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.CPU);
        assertThat(verdict.says()).doesNotContain("0 requests/s").doesNotContain("each request");
    }
}
