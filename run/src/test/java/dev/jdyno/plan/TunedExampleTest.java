package dev.jdyno.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.load.Workload.Check;
import dev.jdyno.measure.load.Workload.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The example plan of docs/tune.md.
class TunedExampleTest {
    private static final Path PETCLINIC = Path.of("../bench/tune/petclinic");

    /// The check's text is one of the page itself, for each pet of an owner. A tuning writes the
    /// plan and continues with the written one.
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
