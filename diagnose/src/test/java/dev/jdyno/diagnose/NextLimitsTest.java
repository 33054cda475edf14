package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.evidence.EvidenceFixture.plateau;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.NextLimit;
import dev.jdyno.measure.verdict.Verdict;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Services with two limits of nearly the same height, and services with one.
class NextLimitsTest {
    private static final String LEDGER = "com.acme.Ledger in com.acme.Ledger.post";
    private static final String STOCK = "com.acme.Stock in com.acme.Stock.take";

    private static Verdict judged(EvidenceFixture of) {
        Evidence evidence = of.build();
        Verdict verdict = Diagnosis.of(evidence);
        return verdict.withNextLimit(NextLimits.of(verdict, evidence, of.recording().census()));
    }

    /// Half of the requests is at each of two resources.
    static Stream<Arguments> pairs() {
        return Stream.of(
                Arguments.of(
                        EnumSet.of(Bottleneck.CONNECTION_POOL, Bottleneck.LOCK),
                        pool(6.5).held(Cause.LOCK, LEDGER, 7.5, "sleep: com.acme.Ledger.post")),
                Arguments.of(
                        EnumSet.of(Bottleneck.LOCK, Bottleneck.DOWNSTREAM),
                        downstream(9).held(Cause.LOCK, LEDGER, 9, "sleep: com.acme.Ledger.post")),
                Arguments.of(
                        EnumSet.of(Bottleneck.CONNECTION_POOL, Bottleneck.DOWNSTREAM),
                        pool(7).busy(Cause.DOWNSTREAM, "10.0.0.7:80", 8)
                                .relaxed(Cause.DOWNSTREAM, "10.0.0.7:80", 1)),
                Arguments.of(
                        EnumSet.of(Bottleneck.LOCK),
                        plateau()
                                .held(Cause.LOCK, LEDGER, 9, "sleep: com.acme.Ledger.post")
                                .held(Cause.LOCK, STOCK, 8, "sleep: com.acme.Ledger.post")
                                .busy(Cause.SLEEP, "com.acme.Page.get", 2)),
                Arguments.of(
                        EnumSet.of(Bottleneck.LOCK, Bottleneck.CPU),
                        onCores().held(Cause.LOCK, LEDGER, 10, "sleep: com.acme.Ledger.post")),
                Arguments.of(
                        EnumSet.of(Bottleneck.CONNECTION_POOL, Bottleneck.CPU),
                        onCores().busy(Cause.POOL, "HikariCP", 7).busy(Cause.DATABASE, "db:1", 3)),
                Arguments.of(
                        EnumSet.of(Bottleneck.DOWNSTREAM, Bottleneck.CPU),
                        onCores()
                                .busy(Cause.DOWNSTREAM, "10.0.0.7:80", 10)
                                .relaxed(Cause.DOWNSTREAM, "10.0.0.7:80", 1)),
                // a called service on this machine that uses little CPU
                Arguments.of(
                        EnumSet.of(Bottleneck.DOWNSTREAM, Bottleneck.CPU),
                        onCores(3)
                                .rounds(r -> r.cores(1.85).others(0.05))
                                .busy(Cause.DOWNSTREAM, "127.0.0.1:80", 15)
                                .relaxed(Cause.DOWNSTREAM, "127.0.0.1:80", 1)),
                Arguments.of(
                        EnumSet.of(Bottleneck.DATABASE, Bottleneck.CPU),
                        onCores(3)
                                .rounds(r -> r.cores(1.85).others(0.05))
                                .busy(Cause.DATABASE, "localhost:5432", 15)
                                .relaxed(Cause.DATABASE, "localhost:5432", 1)),
                Arguments.of(
                        EnumSet.of(Bottleneck.THREAD_POOL, Bottleneck.LOCK),
                        plateau()
                                .pool(new ThreadSamples.Pool("exec", 10, 10, 0, 0, true))
                                .relaxed(Cause.DATABASE, "db:1", 2)
                                .held(Cause.LOCK, LEDGER, 5.5, "sleep: com.acme.Ledger.post")
                                .busy(Cause.DATABASE, "db:1", 4)
                                .unread(10)),
                // the queue for the lock keeps threads, so the pool limits earlier than by itself
                Arguments.of(
                        EnumSet.of(Bottleneck.THREAD_POOL, Bottleneck.LOCK),
                        plateau()
                                .pool(new ThreadSamples.Pool("exec", 10, 10, 0, 0, true))
                                .gaveMore(60)
                                .relaxed(Cause.DATABASE, "db:1", 3.9)
                                .held(Cause.LOCK, LEDGER, 2.3, "sleep: com.acme.Ledger.post")
                                .busy(Cause.DATABASE, "db:1", 7)
                                .unread(10)),
                Arguments.of(
                        EnumSet.of(Bottleneck.CPU, Bottleneck.GC_ALLOCATION),
                        plateau()
                                .rounds(r ->
                                        r.cores(1.95)
                                                .gc(
                                                        EvidenceFixture.gcActivity(
                                                                0.5,
                                                                EvidenceFixture.causes(Map.of()))))
                                .busy(Cause.CPU, "com.acme.Page.get", 2)
                                .busy(Cause.RUN_QUEUE, "", 17)),
                Arguments.of(
                        EnumSet.of(Bottleneck.DOWNSTREAM),
                        downstream(10)
                                .busy(Cause.DOWNSTREAM, "10.0.0.8:80", 8)
                                .relaxed(Cause.DOWNSTREAM, "10.0.0.8:80", 1)),
                Arguments.of(
                        EnumSet.of(Bottleneck.RATE_LIMIT, Bottleneck.LOCK),
                        plateau()
                                .busy(Cause.POOL, "Semaphore in com.acme.Gate.enter", 7)
                                .busy(Cause.SLEEP, "com.acme.Gate.work", 3)
                                .relaxed(Cause.SLEEP, "com.acme.Gate.work", 1.5)
                                .held(Cause.LOCK, LEDGER, 8, "sleep: com.acme.Ledger.post")),
                Arguments.of(
                        EnumSet.of(Bottleneck.CONNECTION_POOL, Bottleneck.CPU_QUOTA),
                        plateau()
                                .rounds(r -> r.quota(1).cores(0.97).throttled(12))
                                .busy(Cause.CPU, "com.acme.Page.get", 1)
                                .busy(Cause.RUN_QUEUE, "", 8)
                                .busy(Cause.POOL, "HikariCP", 7)
                                .busy(Cause.DATABASE, "db:1", 4)
                                .relaxed(Cause.DATABASE, "db:1", 2)));
    }

    private static EvidenceFixture pool(double waiting) {
        return plateau()
                .busy(Cause.POOL, "HikariCP", waiting)
                .busy(Cause.DATABASE, "db:1", 4)
                .relaxed(Cause.DATABASE, "db:1", 2);
    }

    private static EvidenceFixture downstream(double threads) {
        return plateau()
                .busy(Cause.DOWNSTREAM, "10.0.0.7:80", threads)
                .relaxed(Cause.DOWNSTREAM, "10.0.0.7:80", 1);
    }

    private static EvidenceFixture onCores() {
        return onCores(8);
    }

    private static EvidenceFixture onCores(double inRunQueue) {
        return plateau()
                .rounds(r -> r.cores(1.9))
                .busy(Cause.CPU, "com.acme.Page.get", 2)
                .busy(Cause.RUN_QUEUE, "", inRunQueue);
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void bothOfTwoLimitsAreNamed(Set<Bottleneck> planted, EvidenceFixture service) {
        Verdict verdict = judged(service);

        Set<Bottleneck> named = EnumSet.of(verdict.bottleneck());
        verdict.nextLimit().map(NextLimit::bottleneck).ifPresent(named::add);
        assertThat(named).isEqualTo(planted);
        assertThat(verdict.nextLimit()).isPresent();
        assertThat(verdict.runnersUp())
                .noneMatch(r -> !r.possible() && planted.contains(r.bottleneck()));
    }

    /// One limit: the longest other wait has few requests, or grows only because of the limit.
    static Stream<EvidenceFixture> alone() {
        return Stream.of(
                plateau().held(Cause.LOCK, LEDGER, 18, "sleep: com.acme.Ledger.post"),
                plateau()
                        .held(Cause.LOCK, LEDGER, 15, "sleep: com.acme.Ledger.post")
                        .held(Cause.LOCK, STOCK, 2.5, "sleep: com.acme.Stock.take"),
                pool(15),
                // the pool's connections are held over the call that limits
                downstream(11).held(Cause.POOL, "HikariCP", 8, "downstream: 10.0.0.7:80"),
                // a called service on this machine waits for the cores, too
                onCores(6)
                        .rounds(r -> r.cores(1.4).others(0.5))
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:80", 12)
                        .relaxed(Cause.DOWNSTREAM, "127.0.0.1:80", 1),
                // one that uses little CPU waits for them once in a call
                onCores(11)
                        .rounds(r -> r.cores(1.85).others(0.05))
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:80", 12)
                        .relaxed(Cause.DOWNSTREAM, "127.0.0.1:80", 1),
                // the lock is held by threads that wait for a core
                onCores().held(Cause.LOCK, LEDGER, 9, "runQueue"),
                plateau()
                        .rounds(r -> r.cores(1.6))
                        .held(Cause.LOCK, LEDGER, 17, "sleep: com.acme.Ledger.post"),
                // calls take as long as at a low load
                plateau()
                        .held(Cause.LOCK, LEDGER, 10, "sleep: com.acme.Ledger.post")
                        .busy(Cause.DOWNSTREAM, "10.0.0.7:80", 8)
                        .relaxed(Cause.DOWNSTREAM, "10.0.0.7:80", 4));
    }

    @ParameterizedTest
    @MethodSource("alone")
    void aSingleLimitHasNoSecond(EvidenceFixture service) {
        assertThat(judged(service).nextLimit()).isEmpty();
    }

    @Test
    void noSecondLimitWhereThroughputStillRises() {
        assertThat(
                        judged(plateau().delay(100).held(Cause.LOCK, LEDGER, 9, "cpu: a.B.c"))
                                .nextLimit())
                .isEmpty();
    }

    /// With 95 % of the cores in use, the CPU allows 1 / 0.95 of the present throughput.
    @Test
    void utilisationGivesTheLimit() {
        NextLimit next =
                judged(
                                plateau()
                                        .rounds(r -> r.cores(1.85))
                                        .held(Cause.LOCK, LEDGER, 17, "sleep: com.acme.Ledger.post")
                                        .busy(Cause.CPU, "com.acme.Page.get", 1.85))
                        .nextLimit()
                        .orElseThrow();

        assertThat(next.way()).isEqualTo(NextLimit.Way.UTILISATION);
        assertThat(next.limitPerS()).isCloseTo(next.nowPerS() / next.figure(), within(1e-6));
        assertThat(next.atMostPerS()).isCloseTo(next.limitPerS(), within(1e-6));
        assertThat(next.after()).isEmpty();
    }

    /// A longer queue means a higher utilisation, so a lower limit. The upper end is above the
    /// estimate, and what is left without both limits is above that.
    @Test
    void longerQueueGivesALowerLimit() {
        NextLimit shorter = second(6);
        NextLimit longer = second(9);

        assertThat(longer.limitPerS()).isLessThan(shorter.limitPerS());
        assertThat(longer.gainOfFirst()).isLessThan(shorter.gainOfFirst());
        assertThat(shorter.atMostPerS()).isGreaterThan(shorter.limitPerS());
        assertThat(shorter.after().orElseThrow().bottleneck()).isEqualTo(Bottleneck.CPU);
        assertThat(shorter.after().orElseThrow().gainOfBoth()).isGreaterThan(shorter.gainOfFirst());
        assertThat(shorter.confidence()).isLessThan(longer.confidence());
    }

    private static NextLimit second(double waiting) {
        return judged(
                        plateau()
                                .held(Cause.LOCK, LEDGER, 10, "sleep: com.acme.Ledger.post")
                                .held(Cause.LOCK, STOCK, waiting, "sleep: com.acme.Stock.take"))
                .nextLimit()
                .orElseThrow();
    }
}
