package dev.jdyno.observe.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.observe.heap.HeldObject.Holder;
import dev.jdyno.target.Left;
import dev.jdyno.target.Target;
import dev.jdyno.target.Victims;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What a recording shows about objects that are still alive, in this JVM and in an observed one.
class LeakTrailTest {
    private static final List<byte[]> KEPT = new ArrayList<>();
    private static final int OBJECTS = 4000;
    private static final int BYTES = 2 * 1024;

    private static final String HOARD = "Victim.HOARD, a java.util.ArrayList";

    /// Maximum number of attempts, because the JVM samples objects at random.
    private static final int TURNS = 20;

    @TempDir Path dir;

    @Test
    void namesFieldThatHoldsLeakedObjects() throws Exception {
        Optional<Holder> holder = Optional.empty();
        try (var recording = new Recording()) {
            recording.enable("jdk.OldObjectSample").withStackTrace().with("cutoff", "10 s");
            recording.start();
            for (int turn = 0; turn < TURNS && holder.isEmpty(); turn++) {
                keepMore();
                // only objects that survived a collection are listed
                System.gc();
                Path file = dir.resolve("old" + turn + ".jfr");
                recording.dump(file);
                holder = HeldObject.holder(LeakTrail.read(file).objects(), "[B", Set.of());
            }
        } finally {
            KEPT.clear();
        }

        assertThat(holder.map(Holder::by)).contains(LeakTrailTest.class.getName() + ".KEPT");
        assertThat(holder.map(Holder::kind)).contains("java.util.ArrayList");
        assertThat(holder.orElseThrow().madeAt())
                .startsWith(LeakTrailTest.class.getName() + ".keepMore, line ");
    }

    private static void keepMore() {
        for (int i = 0; i < OBJECTS; i++) {
            KEPT.add(new byte[BYTES]);
        }
    }

    static List<Path> jdks() {
        return Victims.jdks();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void namesHolderInWatchedJvmAndCountsItsPause(Path jdk) throws Exception {
        List<String> missing = new ArrayList<>();
        Set<String> holders = new HashSet<>();
        Signals reported = Signals.NONE;
        try (Target target = Victims.launch(jdk, dir, "hoard", "-Xmx1400m")) {
            for (int turn = 0; turn < 40 && !holders.contains(HOARD); turn++) {
                reported = LeakTrail.during(target, () -> counted(target), missing::add);
                reported.place(Sign.LIVE_HELD_SHARE).ifPresent(holders::add);
            }

            assertNothingLeft(target);
        }

        assertThat(missing).isEmpty();
        // while a thread works on the list, its stack is a holder, too
        assertThat(holders)
                .contains(HOARD)
                .isSubsetOf(HOARD, "a java.util.ArrayList that a thread was at work on");
        assertThat(reported.place(Sign.LIVE_MADE_SHARE).orElseThrow())
                .startsWith("Victim.hoard, line");
        assertThat(reported.of(Sign.LIVE_COUNT_PAUSE_MS).orElseThrow()).isPositive();
    }

    private static LiveGrowth counted(Target target) throws InterruptedException {
        // sleeps: the hoarded objects grow during this time
        Thread.sleep(Duration.ofMillis(800));
        target.jcmd().run("GC.run", Duration.ofSeconds(20));
        return new LiveGrowth(
                new Signals(
                        Map.of(Sign.LIVE_GROWTH_BYTES_PER_S, 1e6),
                        Map.of(Sign.LIVE_GROWTH_BYTES_PER_S, "[B")),
                Set.of("[B"));
    }

    @Test
    void interruptedCountLeavesNoFiles() throws Exception {
        try (Target target = Victims.launch(jdks().getFirst(), dir, "sleep")) {
            assertThatThrownBy(() ->
                            LeakTrail.during(
                                    target,
                                    () -> {
                                        throw new InterruptedException();
                                    },
                                    why -> {}))
                    .isInstanceOf(InterruptedException.class);

            assertNothingLeft(target);
        }
    }

    @Test
    void keepsCountsIfTargetStopsResponding() throws Exception {
        List<String> missing = new ArrayList<>();
        var grown = new Signals(Map.of(Sign.LIVE_GROWTH_BYTES_PER_S, 1e6));
        try (Target target = Victims.launch(jdks().getFirst(), dir, "sleep")) {
            Signals reported =
                    LeakTrail.during(
                            target,
                            () -> {
                                Victims.kill(target);
                                return new LiveGrowth(grown, Set.of());
                            },
                            missing::add);

            assertThat(reported).isEqualTo(grown);
        }
        assertThat(missing).isNotEmpty();
    }

    private static void assertNothingLeft(Target target) throws IOException, InterruptedException {
        assertThat(target.jcmd().run("JFR.check")).doesNotContain("jdyno-");
        assertThat(Left.in(target)).isEmpty();
    }
}
