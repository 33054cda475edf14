package dev.jdyno.tune;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.compare.Note;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.simulated.Model;
import dev.jdyno.simulated.SimulatedService;
import dev.jdyno.simulated.VirtualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Comparisons of several candidates together within whole tunings, in virtual time.
class JointTuningTest {
    private static final Model QUIET = Model.e1().noise(0.002, 0.001);
    private static final Model HELPED = QUIET.with("-Dcache=on", 0.8).with("-Dpool=wide", 0.9);
    private static final List<String> KNOBS = List.of("cache:off,on", "pool:narrow,wide");
    private static final Set<Change> HELP =
            Set.of(
                    new Change.SystemProperty("cache", "on"),
                    new Change.SystemProperty("pool", "wide"));

    @TempDir private Path folder;
    private final VirtualClock clock = new VirtualClock();

    /// The notes of a tuning while it ran.
    private final List<Note> noted = new ArrayList<>();

    private SimulatedService service(Model model, long seed) {
        return new SimulatedService(model, clock, seed);
    }

    private Path folder(String name) throws IOException {
        return Files.createDirectory(folder.resolve(name));
    }

    private Tuned tuned(SimulatedService service, List<String> knobs, Path into)
            throws InterruptedException {
        return new SimulatedTuning(clock)
                .tuned(
                        service,
                        knobs,
                        Duration.ofHours(2),
                        into,
                        () -> false,
                        new Deaf() {
                            @Override
                            public void noted(Note note) {
                                noted.add(note);
                            }
                        });
    }

    @Test
    void failureOfServiceAmongOthersIsNoteOfResult() throws Exception {
        Tuned tuned = tuned(service(HELPED, 1).atMost(2), KNOBS, folder("alone"));

        var note = new Note.OnlyTwoAtOnce("the service ended: too many instances run");
        assertThat(tuned.notes()).containsOnlyOnce(note);
        assertThat(noted).containsExactly(note);
        assertThat(Set.copyOf(tuned.changes())).isEqualTo(HELP);
    }

    /// A tuning that continues does not repeat the measurement in which the service failed.
    @Test
    @Tag("full") // many tunings
    void resumedTuningKnowsOfFailureAmongOthers() throws Exception {
        SimulatedService whole = service(HELPED, 1).atMost(2);
        Tuned first = tuned(whole, KNOBS, folder("whole"));
        for (int call = 10; call <= whole.calls() - 40; call += 25) {
            Path own = folder("killed-" + call);
            kill(service(HELPED, 1).atMost(2), KNOBS, own, call);
            boolean failed = !noted.isEmpty();
            noted.clear();
            SimulatedService again = service(HELPED, 1000 + call).atMost(failed ? 2 : 9);

            Tuned tuned = tuned(again, KNOBS, own);

            assertThat(Set.copyOf(tuned.changes())).as("killed at %d", call).isEqualTo(HELP);
            assertThat(noted).as("killed at %d", call).hasSize(failed ? 1 : 0);
            assertThat(again.mostOpen()).as("killed at %d", call).isEqualTo(failed ? 2 : 4);
        }
        assertThat(first.notes()).isNotEmpty();
    }

    private void kill(SimulatedService service, List<String> knobs, Path own, int call) {
        noted.clear();
        assertThatThrownBy(() -> tuned(service.killAt(call), knobs, own))
                .isInstanceOf(SimulatedService.Killed.class);
    }

    /// Settings a and b answer wrongly together, unless c is set: so all three help, each helps
    /// alone, and the service fails without c.
    private static boolean clashes(List<String> words) {
        return words.containsAll(List.of("-Da=1", "-Db=1")) && !words.contains("-Dc=1");
    }

    private static final Model THREE_HELP =
            QUIET.with("-Da=1", 0.8).with("-Db=1", 0.85).with("-Dc=1", 0.85);

    private static final List<String> THREE = List.of("a:0,1", "b:0,1", "c:0,1");

    private static Change.Launch property(String name) {
        return new Change.SystemProperty(name, "1");
    }

    @Test
    void aSetThatFailedWithoutOneCandidateIsNotAccepted() throws Exception {
        Tuned tuned =
                tuned(service(THREE_HELP, 1).wrongIf(JointTuningTest::clashes), THREE, folder("c"));

        assertThat(tuned.notes())
                .contains(
                        new Note.FailedWithout(
                                List.of(property("a"), property("b"), property("c")),
                                List.of(property("c"))));
        assertThat(tuned.changes()).contains(property("a"), property("c"));
        assertThat(tuned.partial()).isFalse();
        assertThat(tuned.confirmed().flatMap(Measured::throughputRatio).orElseThrow())
                .isGreaterThan(1.3);
    }

    @Test
    @Tag("full") // many tunings
    void resumedTuningDecidesTheSameAfterAFailureWithoutOneCandidate() throws Exception {
        SimulatedService whole = service(THREE_HELP, 1).wrongIf(JointTuningTest::clashes);
        Tuned first = tuned(whole, THREE, folder("whole"));
        for (int call = 30; call <= whole.calls() - 60; call += 40) {
            Path own = folder("killed-" + call);
            kill(service(THREE_HELP, 1).wrongIf(JointTuningTest::clashes), THREE, own, call);
            SimulatedService again =
                    service(THREE_HELP, 1000 + call).wrongIf(JointTuningTest::clashes);

            Tuned tuned = tuned(again, THREE, own);

            assertThat(tuned.changes()).as("killed at %d", call).isEqualTo(first.changes());
            assertThat(tuned.notes()).as("killed at %d", call).isEqualTo(first.notes());
        }
    }

    /// Of several candidates that do the same, none is worse when it is left out.
    @Test
    void aSetOfWhichNoneIsNeededIsANote() throws Exception {
        Tuned tuned =
                tuned(
                        service(QUIET, 1).cheaperWithAny(List.of("-Da=1", "-Db=1"), 0.8),
                        THREE.subList(0, 2),
                        folder("same"));

        assertThat(tuned.notes())
                .contains(new Note.NoneNeeded(List.of(property("a"), property("b"))));
        assertThat(tuned.changes()).hasSize(1);
    }

    /// Six of these candidates take part in the first round, and the last two in the second.
    private static final Model FOUR_HELP = HELPED.with("-Dlate=1", 0.85).with("-Dlast=1", 0.9);

    private static final List<String> EIGHT =
            List.of(
                    "d:0,1",
                    "cache:off,on",
                    "e:0,1",
                    "pool:narrow,wide",
                    "f:0,1",
                    "g:0,1",
                    "late:0,1",
                    "last:0,1");

    /// The joint comparisons that began, each with the number of calls at its first start.
    private final Map<Step, Integer> joint = new LinkedHashMap<>();

    private Tuned watched(SimulatedService service, Path into) throws InterruptedException {
        joint.clear();
        return new SimulatedTuning(clock)
                .tuned(
                        service,
                        EIGHT,
                        Duration.ofHours(3),
                        into,
                        () -> false,
                        new Deaf() {
                            @Override
                            public void starts(Step step, int start, int min, int max) {
                                if (step instanceof Step.ProveTogether) {
                                    joint.putIfAbsent(step, service.calls());
                                }
                            }
                        });
    }

    @Test
    @Tag("full") // many tunings
    void twoRoundsAreProvedTogetherAlsoAfterAnInterruptionBetweenThem() throws Exception {
        SimulatedService whole = service(FOUR_HELP, 1);
        Tuned first = watched(whole, folder("whole"));
        assertThat(first.changes()).hasSize(4);
        assertThat(joint).hasSize(2);
        List<Step> both = List.copyOf(joint.keySet());
        int begun = requireNonNull(joint.get(both.getFirst()));
        int second = requireNonNull(joint.get(both.getLast()));
        for (int call : List.of(begun + 1, second - 1, second + 1, second + 40)) {
            Path own = folder("killed-" + call);
            SimulatedService killed = service(FOUR_HELP, 1).killAt(call);
            assertThatThrownBy(() -> watched(killed, own))
                    .isInstanceOf(SimulatedService.Killed.class);
            SimulatedService again = service(FOUR_HELP, 1000 + call);

            Tuned tuned = watched(again, own);

            assertThat(Set.copyOf(tuned.changes()))
                    .as("killed at %d", call)
                    .isEqualTo(Set.copyOf(first.changes()));
            assertThat(joint.keySet()).as("killed at %d", call).isSubsetOf(both);
            if (call > second) {
                assertThat(joint.keySet()).doesNotContain(both.getFirst());
            }
            assertThat(again.open()).isZero();
        }
    }
}
