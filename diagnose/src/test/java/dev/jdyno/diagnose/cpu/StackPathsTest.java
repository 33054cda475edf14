package dev.jdyno.diagnose.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Patient;
import dev.jdyno.diagnose.gc.StopMaker;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.thread.Profile.Node;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.Bottleneck;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What the paths through a profile show: which code calls a hot method, and which code stops the
/// JVM.
class StackPathsTest {
    /// @param frames outermost frame first
    private static Node way(long samples, String... frames) {
        Node at = new Node(frames[frames.length - 1], samples, List.of());
        for (int i = frames.length - 2; i >= 0; i--) {
            at = new Node(frames[i], samples, List.of(at));
        }
        return at;
    }

    private static Profile profile(Profile.Kind kind, long samples, Node... threads) {
        return new Profile(
                kind, "a test", 24, 100, 1, 0, new Node("all", samples, List.of(threads)));
    }

    private static Insight insight(Profile... profiles) {
        return new Insight(List.of(profiles), List.of(), List.of(), List.of());
    }

    @Test
    void namesCallerOfHotLibraryMethod() {
        Profile cpu =
                profile(
                        Profile.Kind.CPU,
                        100,
                        way(
                                10,
                                "java.lang.Thread.run",
                                "com.acme.Other.run",
                                "org.lib.Jaro.matches"),
                        way(
                                80,
                                "java.lang.Thread.run",
                                "io.server.Route.handle",
                                "com.acme.crm.Controller.find",
                                "com.acme.crm.Directory$$Lambda$7.apply",
                                "com.acme.crm.Directory.similar",
                                "com.acme.crm.Directory.all",
                                "java.util.ArrayList.forEach",
                                "org.lib.Jaro.apply",
                                "org.lib.Jaro.matches",
                                "java.lang.String.charAt"));

        assertThat(HotPath.callers(cpu, "org.lib.Jaro.matches"))
                .containsExactly(
                        "com.acme.crm.Directory.all",
                        "com.acme.crm.Controller.find",
                        "io.server.Route.handle");
        assertThat(HotPath.callers(cpu, "org.lib.Nowhere.seen")).isEmpty();
    }

    @Test
    void namesCodeThatStopsJvm() {
        var watch =
                way(
                        35,
                        "java.util.concurrent.FutureTask.run",
                        "com.acme.RequestWatch.look",
                        "com.acme.RequestWatch$$Lambda$16.run",
                        "sun.management.ThreadImpl.dumpAllThreads",
                        "sun.management.ThreadImpl.dumpThreads0");

        StopMaker maker =
                StopMaker.in(
                                insight(
                                        profile(Profile.Kind.CPU, 474, way(474, "a.B.c")),
                                        profile(Profile.Kind.WALL, 206, watch, way(171, "a.B.c"))))
                        .orElseThrow();

        assertThat(maker.caller()).isEqualTo("com.acme.RequestWatch.look");
        assertThat(maker.asks()).isEqualTo("sun.management.ThreadImpl.dumpAllThreads");
        assertThat(maker.share()).isCloseTo(35.0 / 206, within(1e-9));
        assertThat(maker.says())
                .hasToString(
                        "com.acme.RequestWatch.look requests these stops: 17 % of the samples of all threads found"
                                + " it in sun.management.ThreadImpl.dumpAllThreads.");
    }

    @Test
    void verdictAndRecommendationNameCodeThatStopsJvm() {
        var patient = new Patient();
        patient.insight =
                insight(
                        profile(
                                Profile.Kind.WALL,
                                10,
                                way(
                                        10,
                                        "com.acme.RequestWatch.look",
                                        "sun.management.ThreadImpl.dumpThreads0")));
        patient.evidence =
                EvidenceFixture.plateau()
                        .rounds(r -> r.cores(1.2).stops(0.34, 0.01, 8.5))
                        .sign(Sign.SAFEPOINT_SHARE, 0.34)
                        .sign(Sign.SAFEPOINT_SYNC_SHARE, 0.01)
                        .sign(Sign.SAFEPOINTS_PER_S, 8.5);
        patient.where = "stops";

        assertThat(patient.verdict().says())
                .contains("8.5 times a second for 40 ms each")
                .contains("com.acme.RequestWatch.look requests these stops");
        assertThat(patient.recommendation(Bottleneck.SAFEPOINT, "stops-fewer").says())
                .contains("com.acme.RequestWatch.look");
    }

    @Test
    void heapDumpCommandAndOtherClassesStopJvm() {
        for (String asks :
                List.of(
                        "java.lang.Thread.getAllStackTraces",
                        "sun.management.ThreadImpl.findDeadlockedThreads0",
                        "sun.management.HotSpotDiagnostic.dumpHeap0",
                        "com.sun.management.internal.DiagnosticCommandImpl.executeDiagnosticCommand",
                        "sun.instrument.InstrumentationImpl.retransformClasses0")) {
            assertThat(
                            StopMaker.in(
                                    insight(
                                            profile(
                                                    Profile.Kind.WALL,
                                                    10,
                                                    way(10, "com.acme.Agent.run", asks)))))
                    .as(asks)
                    .isPresent();
        }
    }

    @Test
    void rareSamplesAndJdkMethodsNameNoCaller() {
        String asks = "java.lang.Thread.getAllStackTraces";
        assertThat(
                        StopMaker.in(
                                insight(
                                        profile(
                                                Profile.Kind.WALL,
                                                100,
                                                way(1, "com.acme.Agent.run", asks)),
                                        profile(
                                                Profile.Kind.WALL,
                                                10,
                                                way(10, "java.lang.Thread.run", asks)))))
                .isEmpty();
        assertThat(StopMaker.in(Insight.NONE)).isEmpty();
    }
}
