package dev.jdyno.diagnose;

import static dev.jdyno.measure.RoundFixture.round;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.measure.Machine;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The table of expected verdicts: every planted situation against every rule. The figures were
/// measured on planted cases (docs/bottlenecks.md describes each).
class DiagnosisTest {
    static Verdict judge(List<Round> rounds, ThreadSamples... threadSamples) {
        var recording =
                new Recording(
                        new Machine(2, 8L << 30, "test", 0),
                        new TargetFacts(
                                Optional.of(1L),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                List.of(),
                                2,
                                true,
                                List.of("proc"),
                                List.of()),
                        Optional.of(8.0),
                        rounds,
                        List.of(threadSamples),
                        List.of(),
                        false);
        return Diagnosis.of(Evidence.of(recording, Optional.empty()));
    }

    private static ThreadSamples census(
            int n, double qps, ThreadSamples.Pool pool, ThreadSamples.Busy... busy) {
        return new ThreadSamples(
                n, qps, 12, 1, List.of(pool), List.of(busy), Math.max(0, n - pool.busy()), 0);
    }

    private static ThreadSamples.Pool pool(double size, double busy) {
        return new ThreadSamples.Pool(
                "http-nio-exec", size, busy, size - busy, (int) (size - busy), true);
    }

    private static ThreadSamples.Busy busy(Cause cause, String where, double threads) {
        return new ThreadSamples.Busy(cause, PlaceText.place(cause, where), threads);
    }

    private static GcActivity gc(
            double share, long full, double alloc, double promoted, double old) {
        return new GcActivity(
                new GcActivity.Count(60, share * 6000),
                new GcActivity.Count(full, full * 50.0),
                share,
                Optional.of(alloc),
                Optional.of(promoted),
                Optional.of(1e6),
                Optional.of(old * 1e8),
                Optional.of(1e8));
    }

    static Stream<Arguments> planted() {
        var cpuRounds =
                List.of(
                        round(1, 11).cores(0.12).build(),
                        round(16, 160).cores(1.7).build(),
                        round(32, 185).cores(1.93).build(),
                        round(64, 186).cores(1.94).build());
        return Stream.of(
                Arguments.of(
                        Bottleneck.CPU,
                        cpuRounds,
                        census(
                                32,
                                185,
                                pool(40, 31),
                                busy(Cause.CPU, "burn", 1.9),
                                busy(Cause.RUN_QUEUE, "", 14),
                                busy(Cause.DOWNSTREAM, "127.0.0.1:9000", 15))),
                Arguments.of(
                        Bottleneck.LOCK,
                        List.of(
                                round(1, 10).build(),
                                round(4, 19.5).build(),
                                round(8, 19.8).build(),
                                round(16, 19.7).build()),
                        census(
                                8,
                                19.8,
                                pool(20, 8),
                                busy(Cause.LOCK, "java.lang.Object@1f", 6.2),
                                busy(Cause.SLEEP, "", 1),
                                busy(Cause.DOWNSTREAM, "127.0.0.1:9000", 0.8))),
                Arguments.of(
                        Bottleneck.THREAD_POOL,
                        List.of(
                                round(1, 19).cores(0.02).build(),
                                round(4, 77).cores(0.1).build(),
                                round(8, 77).cores(0.1).build(),
                                round(16, 76).cores(0.1).build()),
                        census(16, 76, pool(4, 4), busy(Cause.DOWNSTREAM, "127.0.0.1:9000", 4))),
                Arguments.of(
                        Bottleneck.DOWNSTREAM,
                        List.of(
                                round(1, 19).cores(0.02).build(),
                                round(4, 76).cores(0.1).build(),
                                round(8, 78).cores(0.1).build(),
                                round(16, 78).cores(0.1).build()),
                        census(
                                16,
                                78,
                                pool(40, 16),
                                busy(Cause.DOWNSTREAM, "127.0.0.1:9000", 15.8))),
                Arguments.of(
                        Bottleneck.LOAD,
                        List.of(
                                round(1, 19.5).cores(0.02).build(),
                                round(2, 39).cores(0.04).build(),
                                round(4, 78).cores(0.1).build()),
                        census(4, 78, pool(40, 4), busy(Cause.DOWNSTREAM, "127.0.0.1:9000", 3.9))),
                Arguments.of(
                        Bottleneck.CLIENT,
                        List.of(
                                round(8, 30000).cores(0.8).clientLoop(97).build(),
                                round(16, 30100).cores(0.8).clientLoop(99).build(),
                                round(32, 30100).cores(0.8).clientLoop(99).build()),
                        census(16, 30100, pool(40, 1), busy(Cause.CPU, "servlet", 0.8))),
                Arguments.of(
                        Bottleneck.CONNECTION_POOL,
                        List.of(
                                round(1, 48).build(),
                                round(8, 243).build(),
                                round(16, 240).build(),
                                round(32, 235).build()),
                        census(
                                20,
                                243,
                                pool(40, 20),
                                busy(Cause.POOL, "HikariPool-1", 14.8),
                                busy(Cause.DATABASE, "127.0.0.1:7900", 5))),
                Arguments.of(
                        Bottleneck.GC_ALLOCATION,
                        List.of(
                                round(1, 400).cores(0.9).build(),
                                round(4, 700).cores(1.9).gc(gc(0.25, 0, 7e8, 1e5, 0.1)).build(),
                                round(8, 705).cores(1.9).gc(gc(0.26, 0, 7e8, 1e5, 0.1)).build()),
                        census(8, 705, pool(40, 8), busy(Cause.CPU, "allocate", 7.9))),
                Arguments.of(
                        Bottleneck.GC_PROMOTION,
                        List.of(
                                round(1, 90).build(),
                                round(4, 150).gc(gc(0.3, 4, 3e8, 1.5e8, 0.7)).build(),
                                round(8, 140).gc(gc(0.4, 8, 3e8, 1.5e8, 0.7)).build()),
                        census(8, 140, pool(40, 8), busy(Cause.SLEEP, "hold", 7.9))),
                Arguments.of(
                        Bottleneck.GC_LIVE_SET,
                        List.of(
                                round(1, 90).build(),
                                round(4, 150).gc(gc(0.5, 30, 3e8, 1e5, 0.97)).build(),
                                round(8, 140).gc(gc(0.6, 40, 3e8, 1e5, 0.98)).build()),
                        census(8, 140, pool(40, 8), busy(Cause.CPU, "work", 7.9))),
                Arguments.of(
                        Bottleneck.CPU_QUOTA,
                        List.of(
                                round(1, 40).cores(0.4).build(),
                                round(4, 50).cores(0.5).quota(0.5).throttled(60).build(),
                                round(8, 50).cores(0.5).quota(0.5).throttled(61).build()),
                        census(8, 50, pool(40, 8), busy(Cause.RUN_QUEUE, "", 7.9))),
                Arguments.of(
                        Bottleneck.CPU_NEIGHBOUR,
                        List.of(
                                round(1, 40).cores(0.4).others(1).build(),
                                round(4, 90).cores(0.92).others(1).build(),
                                round(8, 90).cores(0.93).others(1).build()),
                        census(8, 90, pool(40, 8), busy(Cause.RUN_QUEUE, "", 7.9))),
                Arguments.of(
                        Bottleneck.UNKNOWN,
                        List.of(round(1, 40).build(), round(4, 90).build(), round(8, 90).build()),
                        census(8, 90, pool(40, 4), busy(Cause.OTHER, "?", 4))));
    }

    @ParameterizedTest
    @MethodSource("planted")
    void namesPlantedBottleneck(Bottleneck planted, List<Round> rounds, ThreadSamples saturated) {
        Verdict verdict = judge(rounds, saturated);

        assertThat(verdict.bottleneck()).isEqualTo(planted);
        if (planted != Bottleneck.UNKNOWN) {
            assertThat(verdict.evidence()).isNotEmpty();
            assertThat(verdict.confidence()).isGreaterThanOrEqualTo(0.7);
            assertThat(verdict.runnersUp())
                    .noneMatch(r -> r.confidence() > verdict.confidence())
                    .allMatch(r -> !r.whyNot().isEmpty());
        }
    }

    @Test
    void namesSaturatedDownstreamBehindSmallPool() {
        var rounds =
                List.of(
                        round(1, 20).cores(0.02).build(),
                        round(4, 40).cores(0.1).build(),
                        round(8, 40).cores(0.1).build(),
                        round(16, 40).cores(0.1).build());
        Verdict verdict =
                judge(
                        rounds,
                        census(1, 20, pool(4, 1), busy(Cause.DOWNSTREAM, "127.0.0.1:9000", 1)),
                        census(16, 40, pool(4, 4), busy(Cause.DOWNSTREAM, "127.0.0.1:9000", 4)));

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.DOWNSTREAM);
    }

    @Test
    void waitThatDoesNotGrowIsNoLimit() {
        var rounds =
                List.of(
                        round(1, 19).cores(0.02).build(),
                        round(4, 77).cores(0.1).build(),
                        round(8, 77).cores(0.1).build(),
                        round(16, 76).cores(0.1).build());
        Verdict verdict =
                judge(
                        rounds,
                        census(1, 19, pool(4, 1), busy(Cause.DOWNSTREAM, "127.0.0.1:9000", 0.95)),
                        census(8, 76, pool(4, 3.6), busy(Cause.DOWNSTREAM, "127.0.0.1:9000", 3.6)));

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.THREAD_POOL);
    }

    @Test
    void namesWaitDespiteNeighbours() {
        Verdict verdict =
                judge(
                        List.of(
                                round(1, 19).cores(0.02).others(1.8).build(),
                                round(4, 76).cores(0.1).others(1.8).build(),
                                round(8, 78).cores(0.1).others(1.8).build(),
                                round(16, 78).cores(0.1).others(1.8).build()),
                        census(
                                16,
                                78,
                                pool(40, 16),
                                busy(Cause.DOWNSTREAM, "127.0.0.1:9000", 14.8),
                                busy(Cause.RUN_QUEUE, "", 1)));

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.DOWNSTREAM);
    }

    @Test
    void delayIsNoLimitDespiteNeighbours() {
        Verdict verdict =
                EvidenceFixture.plateau()
                        .delay(15)
                        .rounds(r -> r.cores(0.37).others(1.47))
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:9000", 19)
                        .verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.LOAD);
    }

    @Test
    void namesCpuWithoutThreadDumps() {
        Verdict verdict =
                judge(
                        List.of(
                                round(1, 11).cores(0.12).build(),
                                round(32, 185).cores(1.93).build(),
                                round(64, 186).cores(1.94).build()));

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.CPU);
    }

    @Test
    void busyCarriersNameCpuWithoutWaitersInDumps() {
        var service =
                EvidenceFixture.plateau()
                        .rounds(r -> r.cores(0.9).others(1.0))
                        .busy(Cause.OTHER, "native code", 1.7);
        assertThat(Diagnosis.of(service.build()).bottleneck()).isNotEqualTo(Bottleneck.CPU);

        Evidence carried =
                service.rounds(r -> r.cores(1.9))
                        .pool(
                                new ThreadSamples.Pool(
                                        "ForkJoinPool-1-worker",
                                        2,
                                        0,
                                        2,
                                        2,
                                        false,
                                        false,
                                        1.8,
                                        Map.of()))
                        .build();

        assertThat(Diagnosis.of(carried).bottleneck()).isEqualTo(Bottleneck.CPU);
    }

    /// The code cache is too small. The holder of the lock keeps it for long because its code is
    /// interpreted.
    @Test
    void lockWithInterpretedHolderIsAConsequence() {
        Verdict verdict =
                EvidenceFixture.plateau()
                        .rounds(r -> r.cores(1.9))
                        .sign(Sign.COMPILER_OFF, 0)
                        .sign(Sign.INTERPRETED_SHARE, 0.54, "com.acme.Rules.price")
                        .busy(Cause.LOCK, "java.lang.Object@1", 16.4)
                        .busy(Cause.RUN_QUEUE, "", 4.5)
                        .verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.JIT);
    }

    @Test
    void delayedRoundIsNoBaselineForGrowth() {
        var rounds =
                List.of(
                        round(8, 174).cores(1.72).build(),
                        round(16, 77).cores(1.6).build(),
                        round(32, 226).cores(1.64).build());

        Verdict verdict =
                judge(rounds, census(32, 75, pool(33, 32), busy(Cause.DOWNSTREAM, "a:80", 20)));

        assertThat(verdict.bottleneck()).isNotEqualTo(Bottleneck.LOAD);
    }
}
