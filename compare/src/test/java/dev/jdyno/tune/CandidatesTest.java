package dev.jdyno.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.judge.ResultFixture;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Judged;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.RecommendedChange;
import dev.jdyno.plan.Knob;
import dev.jdyno.plan.Knob.Place;
import dev.jdyno.plan.Knob.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    /// With a short budget, only the first candidate gets a look.
    @ParameterizedTest
    @CsvSource({
        "1.0, true, false",
        "1.02, true, false",
        "1.2, true, true",
        "1.0, false, true",
        ", false, true"
    })
    void aLogPatternThatGivesNothingIsNotFirst(Double predicted, boolean atMost, boolean first) {
        var pattern = new Change.SystemProperty("logging.pattern.console", "%m%n");
        RunResult e1 = ResultFixture.e1();
        Judged judged = e1.judged();
        List<Recommendation> recommendations = new ArrayList<>(judged.recommendations());
        recommendations.add(
                new Recommendation(
                        RecommendedChange.read(
                                "logging-less",
                                "",
                                List.of(new Change.LoggingEdit(Optional.empty(), "level", "")),
                                true),
                        Sentence.of("log less"),
                        "",
                        Optional.ofNullable(predicted),
                        Optional.empty(),
                        atMost,
                        "",
                        Optional.empty(),
                        Optional.empty()));
        var result =
                new RunResult(
                        e1.jdyno(),
                        e1.recording(),
                        e1.goal(),
                        new Judged(
                                judged.knee(),
                                judged.demands(),
                                judged.whatIf(),
                                judged.capacityNotes(),
                                judged.layers(),
                                judged.verdict(),
                                recommendations,
                                judged.validity(),
                                judged.load(),
                                judged.figures()));

        List<Candidate> all =
                new Candidates(
                                PoolSettings.read(Optional.empty()),
                                KNOBS,
                                List.of(),
                                List.of(pattern),
                                false,
                                true)
                        .of(result, List.of(), List.of(), List.of(), Map.of());

        assertThat(all).filteredOn(c -> c.id().equals("logging")).hasSize(1);
        assertThat(all.getFirst().id().equals("logging")).isEqualTo(first);
    }
}
