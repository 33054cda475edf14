package dev.jdyno.tune;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.List;
import java.util.Set;
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

        var note = new Note.OnlyTwoAtOnce("the service ended", "too many instances run");
        assertThat(tuned.notes()).containsOnlyOnce(note);
        assertThat(noted).containsExactly(note);
        assertThat(Set.copyOf(tuned.changes())).isEqualTo(HELP);
    }
}
