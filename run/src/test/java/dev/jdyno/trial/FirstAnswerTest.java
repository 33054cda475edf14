package dev.jdyno.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.load.statistics.ClientUse;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.load.statistics.ReportedWindow;
import dev.jdyno.measure.statistics.Latency;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.plan.Plan;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How long a service may take until a load tool gets a good answer from it.
class FirstAnswerTest {
    private static final Plan.TargetPlan LAUNCH = new Plan.TargetPlan.Launch("java -jar a.jar");

    private static Plan plan(Plan.TargetPlan target) {
        return Plan.of("shop", URI.create("http://127.0.0.1:8080/"), target);
    }

    private static Optional<LoadWindow> seen(long requests, Map<String, Long> errors) {
        return Optional.of(
                ReportedWindow.of(
                        0,
                        1_000_000_000,
                        new ReportedWindow.Counts(
                                requests,
                                errors,
                                0,
                                Optional.empty(),
                                Optional.of(new Latency(1, 1, 1, 1, 1, 1))),
                        new ClientUse(List.of(), 0, 0, 0, 0, 0)));
    }

    @ParameterizedTest
    @CsvSource({
        // `status`: wrk and ab do not report which
        "0, status-503, true",
        "0, status, true",
        "0, connect-failed, true",
        "0, status-404, false",
        "5, status-503, false"
    })
    void launchedServiceThatIsNotReadyHasItsStartTime(long requests, String error, boolean waits) {
        Plan plan = plan(LAUNCH);

        assertThat(FirstAnswer.driverPatience(plan, seen(requests, Map.of(error, 3L))))
                .isEqualTo(waits ? Durations.seconds(plan.limits().startTimeout()) : 0);
    }

    @Test
    void serviceThatRunsAlreadyIsReady() {
        Plan plan = plan(new Plan.TargetPlan.Attach(4711));

        assertThat(FirstAnswer.driverPatience(plan, seen(0, Map.of("status-503", 3L)))).isZero();
    }

    @Test
    void toolThatHasSentNothingMayStill() {
        assertThat(FirstAnswer.driverPatience(plan(LAUNCH), seen(0, Map.of()))).isPositive();
        assertThat(FirstAnswer.driverPatience(plan(LAUNCH), Optional.empty())).isPositive();
    }
}
