package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.compare.Variant;
import dev.jdyno.plan.Plan;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServiceNameTest {
    @Test
    void aLaunchedServiceHasTheNameOfItsCommand() {
        assertThat(ServiceName.of(new Plan.TargetPlan.Launch("java -jar target/shop-1.4.jar 80")))
                .contains("shop");
        assertThat(ServiceName.of(new Plan.TargetPlan.Launch("./start.sh"))).isEmpty();
        assertThat(ServiceName.of(new Plan.TargetPlan.None())).isEmpty();
    }

    @Test
    void aRunningServiceHasTheNameOfItsJvm() {
        assertThat(ServiceName.of(ProcessHandle.current().pid())).isPresent();
    }

    @Test
    void aComparisonWithoutAPlanHasTheNameOfB() {
        Plan plan =
                Plan.of(
                        "compare",
                        URI.create("http://127.0.0.1/"),
                        new Plan.TargetPlan.Launch("java -jar shop.jar"));
        Variant b = new Variant(plan, List.of("-Xmx1g"));

        assertThat(CompareTarget.named(b).plan().name()).isEqualTo("shop");
        assertThat(CompareTarget.named(b).additions()).isEqualTo(b.additions());
        Variant unknown = new Variant(plan.withTarget(new Plan.TargetPlan.None()), List.of());
        assertThat(CompareTarget.named(unknown)).isEqualTo(unknown);
    }
}
