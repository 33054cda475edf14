package dev.jdyno.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.load.Workload.Check;
import dev.jdyno.measure.load.Workload.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The plan that docs/tune.md tunes.
class TunedExampleTest {
    private static final Path PETCLINIC = Path.of("../bench/tune/petclinic");

    /// The text that the check looks for is one of the page's own, for each pet of an owner; a
    /// tuning writes the plan down and goes on with what it wrote.
    @Test
    void anEmptyPageIsNoGoodAnswer(@TempDir Path folder) throws IOException {
        Plan plan = PlanFile.read(PETCLINIC.resolve("plan.yaml"), Environment.NONE);
        Path written = folder.resolve("plan.yaml");
        Files.writeString(written, PlanText.of(plan));

        Step step = plan.workload().orElseThrow().journeys().getFirst().steps().getFirst();
        assertThat(step.checks()).hasSize(1);
        String text = ((Check.Contains) step.checks().getFirst()).text();
        assertThat(Files.readString(PETCLINIC.resolve("src/main/resources/templates/owners.html")))
                .contains(text);
        assertThat(plan.hasJourneysOfSeveralRequests()).isFalse();
        Plan again = PlanFile.read(written, Environment.NONE);
        assertThat(again.workload()).isEqualTo(plan.workload());
        assertThat(again.knobs()).isEqualTo(plan.knobs());
    }
}
