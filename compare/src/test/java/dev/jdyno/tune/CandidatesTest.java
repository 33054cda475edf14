package dev.jdyno.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.judge.ResultFixture;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.plan.Knob;
import dev.jdyno.plan.Knob.Place;
import dev.jdyno.plan.Knob.Values;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The candidates for a service on G1 with 512 MB.
class CandidatesTest {
    private static final List<Knob> KNOBS =
            List.of(
                    new Knob(
                            "heap",
                            new Values.Listed(List.of("", "-Xmx300m", "-Xmx1g")),
                            new Place.Flag(Change.HOLE)),
                    new Knob(
                            "workers",
                            new Values.Listed(List.of("8", "16")),
                            new Place.Argument("--workers={}")),
                    new Knob(
                            "cache",
                            new Values.Listed(List.of("off", "10s")),
                            new Place.Variable("CACHE", Change.HOLE)));

    private static List<Change.Launch> changes(boolean keepHeap, boolean takesFlags) {
        return new Candidates(
                        PoolSettings.read(Optional.empty()),
                        KNOBS,
                        List.of(),
                        List.of(),
                        keepHeap,
                        takesFlags)
                .of(ResultFixture.e1(), List.of(), List.of(), List.of(), Map.of()).stream()
                        .flatMap(c -> c.changes().stream())
                        .toList();
    }

    @Test
    void aHeapThatIsKeptIsMadeNoLarger() {
        assertThat(changes(false, true))
                .contains(Change.jvmArgument("-Xmx300m"), Change.jvmArgument("-Xmx1g"));
        assertThat(changes(true, true))
                .contains(Change.jvmArgument("-Xmx300m"))
                .doesNotContain(Change.jvmArgument("-Xmx1g"));
    }

    @Test
    void triesOtherChangesIfLauncherPassesNoFlags() {
        assertThat(changes(false, false))
                .containsExactlyInAnyOrder(
                        new Change.ProgramArgument("--workers={}", "16"),
                        new Change.EnvironmentVariable("CACHE", "10s"));
    }
}
