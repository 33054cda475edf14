package dev.jdyno.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.tune.BudgetPlan;
import dev.jdyno.tune.Candidate;
import dev.jdyno.tune.Diagnosed;
import dev.jdyno.tune.Preview;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The output before a tuning: its candidates, and what its budget has time for.
class TunePreviewTest {
    private static final String HOSTILE = "<script>alert(1)</script>\u001b[2J";
    private static final Diagnosed BASELINE =
            new Diagnosed(Bottleneck.LOGGING, HOSTILE, "It logs.", 0.9, 100, 20, 8, 6.5, List.of());

    private static Candidate candidate(String name) {
        return new Candidate(
                name,
                name + "=on " + HOSTILE,
                List.of(new Change.EnvironmentVariable(name, "on")),
                Optional.empty(),
                false,
                Optional.empty());
    }

    @Test
    void planNamesCandidatesBeyondBudget() {
        var plan =
                new BudgetPlan(
                        Duration.ofMinutes(20),
                        List.of(
                                new BudgetPlan.Item(BudgetPlan.What.SPENT, 1, 200),
                                new BudgetPlan.Item(BudgetPlan.What.LOOK, 3, 60),
                                new BudgetPlan.Item(BudgetPlan.What.COMPARISON, 0, 200),
                                new BudgetPlan.Item(BudgetPlan.What.FURTHER, 1, 300)),
                        List.of(candidate("later")),
                        List.of(candidate("never")));

        List<String> lines = TuneReport.plan(plan).lines().toList();

        assertThat(lines).hasSize(6).allMatch(l -> l.length() <= 100);
        assertThat(lines.get(2)).contains("3 looks", "1m each").endsWith("3m");
        assertThat(lines.get(4)).contains("never=on");
        assertThat(lines.get(5)).contains("later=on");
    }

    @Test
    void previewShowsNumberOfCandidatesTriedTogether() {
        List<Candidate> eight = IntStream.range(0, 8).mapToObj(i -> candidate("c" + i)).toList();
        var plan =
                new BudgetPlan(
                        Duration.ofMinutes(60),
                        List.of(new BudgetPlan.Item(BudgetPlan.What.LOOK, 3, 60)),
                        List.of(),
                        List.of());
        var preview = new Preview(BASELINE, eight, 6, plan, List.of());

        String said = TuneReport.preview(preview);

        assertThat(said)
                .contains("6 of the 8 ")
                .contains("1h")
                .contains(TuneReport.plan(plan))
                .doesNotContain("\u001b");
        assertThat(said.lines()).allMatch(l -> l.length() <= 100);
    }
}
