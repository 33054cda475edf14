package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.evidence.EvidenceFixture.plateau;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.Doubt;
import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// If a similar bottleneck is also possible, a verdict has less than 0.9 confidence.
class LookalikesTest {
    private static final double OLD = 1e8;

    /// Serial or Parallel with full collections in series.
    ///
    /// @param promoted share of the allocated bytes that is promoted
    /// @param left share of the old generation that remains after full collections
    private static EvidenceFixture full(double promoted, double left) {
        return plateau()
                .rounds(r ->
                        r.gc(
                                new GcActivity(
                                        new GcActivity.Count(60, 600),
                                        new GcActivity.Count(20, 3000),
                                        0.6,
                                        Optional.of(1e8),
                                        Optional.of(promoted * 1e8),
                                        Optional.of(1e4),
                                        Optional.of(Math.max(left, 0.9) * OLD),
                                        Optional.of(OLD),
                                        Optional.empty(),
                                        new GcActivity.Why(
                                                Map.of(),
                                                0,
                                                Optional.of(left * OLD),
                                                Optional.empty()))));
    }

    private static EvidenceFixture cpu() {
        return plateau().rounds(r -> r.cores(1.95)).busy(Cause.CPU, "Page.render", 15);
    }

    private static void doubted(Verdict verdict, Bottleneck named, String other) {
        assertThat(verdict.bottleneck()).isEqualTo(named);
        assertThat(verdict.confidence()).isEqualTo(Doubt.MAX_CONFIDENCE);
        assertThat(verdict.says()).contains(other + " is not ruled out: ").endsWith(".");
    }

    private static void certain(Verdict verdict, Bottleneck named) {
        assertThat(verdict.bottleneck()).isEqualTo(named);
        assertThat(verdict.confidence()).isGreaterThanOrEqualTo(0.9);
        assertThat(verdict.says()).doesNotContain("ruled out");
    }

    @Test
    void aLiveSetMayBeALeakUntilLiveObjectsWereCounted() {
        doubted(full(0, 0.9).verdict(), Bottleneck.GC_LIVE_SET, "gc-leak");
        certain(
                full(0, 0.9).sign(Sign.LIVE_GROWTH_BYTES_PER_S, 0).verdict(),
                Bottleneck.GC_LIVE_SET);
    }

    /// In a full heap, live objects cannot grow between two counts.
    @ParameterizedTest
    @CsvSource({"0.97, false", "0.996, true", "1, true"})
    void countsOfFullHeapDoNotExcludeLeak(double left, boolean mayBe) {
        Verdict verdict = full(0, left).sign(Sign.LIVE_GROWTH_BYTES_PER_S, 0).verdict();

        if (mayBe) {
            doubted(verdict, Bottleneck.GC_LIVE_SET, "gc-leak");
        } else {
            certain(verdict, Bottleneck.GC_LIVE_SET);
        }
    }

    /// The heap grew by 837 KiB/s, and the requests in flight held 4.35 MiB. The cause was a leak
    /// of 2 kB a request.
    @Test
    void growthThatRequestsCanHoldDoesNotExcludeLeak() {
        doubted(
                full(0, 0.9).sign(Sign.LIVE_GROWTH_BYTES_PER_S, 1.9e5).verdict(),
                Bottleneck.GC_LIVE_SET,
                "gc-leak");
    }

    @ParameterizedTest
    @CsvSource({"0.2, 0.6, true", "0.2, 0.3, false"})
    void promotionBetweenFullCollectionsWithoutEffectMayBeALiveSet(
            double promoted, double left, boolean mayBe) {
        var verdict = full(promoted, left).verdict();

        if (mayBe) {
            doubted(verdict, Bottleneck.GC_PROMOTION, "gc-live-set");
        } else {
            certain(verdict, Bottleneck.GC_PROMOTION);
        }
    }

    /// Preventive collections of JDK 17 hide that humongous arrays use up the regions.
    @Test
    void moreInOldThanYoungEverHadMayBeHumongous() {
        doubted(full(1.4, 0).verdict(), Bottleneck.GC_PROMOTION, "gc-humongous");
    }

    private static GcActivity besideTheApplication(Optional<Double> stalled) {
        return new GcActivity(
                new GcActivity.Count(60, 6),
                GcActivity.Count.NONE,
                0.002,
                Optional.of(1e9),
                Optional.of(0.0),
                Optional.of(1e6),
                Optional.of(5e7),
                Optional.of(OLD),
                Optional.empty(),
                new GcActivity.Why(Map.of(), 9, Optional.empty(), stalled));
    }

    @Test
    void concurrentCollectorMayDelayUncountedThreads() {
        var uncounted = cpu().rounds(r -> r.cores(1.9).gc(besideTheApplication(Optional.empty())));
        var counted = cpu().rounds(r -> r.cores(1.9).gc(besideTheApplication(Optional.of(0.0))));

        doubted(uncounted.sign(Sign.GC_CORES, 1.2).verdict(), Bottleneck.GC_ALLOCATION, "gc-stall");
        certain(counted.sign(Sign.GC_CORES, 1.2).verdict(), Bottleneck.GC_ALLOCATION);
    }

    /// Figures of warm services: at most 6 % interpreted code, and 7 % of the CPU for compilation.
    @ParameterizedTest
    @CsvSource({"0.06, 0.12, false", "0.26, 0.12, true", "0.02, 0.21, true", "0, 0, false"})
    void uncompiledCodeMayExplainCpuShortage(
            double interpreted, double compilerCores, boolean mayBe) {
        var verdict =
                cpu().sign(Sign.COMPILER_OFF, 0)
                        .sign(Sign.INTERPRETED_SHARE, interpreted)
                        .sign(Sign.JIT_CORES, compilerCores)
                        .verdict();

        if (mayBe) {
            doubted(verdict, Bottleneck.CPU, "jit");
        } else {
            certain(verdict, Bottleneck.CPU);
        }
    }

    /// QuestDB calls `Files.msync` at each commit: 81 % of 1.76 cores. Without it, throughput is
    /// 5.4 times as high.
    @ParameterizedTest
    @CsvSource({
        "io.questdb.std.Files.msync, true",
        "com.acme.Native.fsync, true",
        "com.acme.Page.render, false",
        "java.nio.MappedByteBuffer.force, true",
        "sun.nio.ch.UnixFileDispatcherImpl.force0, true",
        "com.acme.Page.forced, false",
        "com.acme.physics.Field.force, false",
    })
    void cpuOfSyncsMayMeanDisk(String place, boolean mayBe) {
        var verdict = plateau().rounds(r -> r.cores(1.95)).busy(Cause.CPU, place, 15).verdict();

        if (mayBe) {
            doubted(verdict, Bottleneck.CPU, "disk");
        } else {
            certain(verdict, Bottleneck.CPU);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "com.acme.http.AccessLogValve.write, true",
        "com.acme.NCSARequestLog.append, true",
        "com.acme.audit.Trail.log, true",
        "com.acme.SocketAppender.send, true",
        "com.acme.LoginDesk.enter, false",
        "com.acme.Catalog.find, false",
        "com.acme.logistics.Logic.next, false",
    })
    void lockWithNameOfLoggerMayBeLogging(String place, boolean mayBe) {
        var verdict =
                plateau()
                        .held(Cause.LOCK, "java.lang.Object@1 in " + place, 19, "cpu: x")
                        .verdict();

        if (mayBe) {
            doubted(verdict, Bottleneck.LOCK, "logging");
        } else {
            certain(verdict, Bottleneck.LOCK);
        }
    }

    @Test
    void verdictWithoutLookalikeKeepsItsConfidence() {
        certain(
                plateau().held(Cause.LOCK, "com.acme.Book@1", 19, "sleep").verdict(),
                Bottleneck.LOCK);
    }
}
