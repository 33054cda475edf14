package dev.jdyno.trial;

import static dev.jdyno.measure.RoundFixture.round;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Challenge;
import dev.jdyno.measure.Intervention;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.UserError;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AftermathTest {
    private static Optional<UserError> of(
            Intervention change, double before, double changed, double after) {
        var challenge =
                new Challenge(change, 20, Challenge.Figure.QPS, 2, new Interval(1.25, 2.3), "");
        return Aftermath.of(
                challenge,
                "pool 5 -> 10",
                round(20, before).build(),
                round(20, changed).build(),
                round(20, after).build());
    }

    @ParameterizedTest(name = "{0} {1} {2} -> {3}")
    @CsvSource({
        "246, 492, 494, true",
        "246, 492, 250, false",
        "100, 50, 52, true",
        "100, 50, 97, false",
        // only half of the change is reverted, so throughput changed for another reason
        "100, 200, 140, false",
        // neither the change nor the drift exceeds the noise
        "100, 110, 110, false",
        // throughput fell by itself, by more than any change caused
        "100, 90, 40, false",
        "100, 200, 60, false",
        "0, 50, 50, false"
    })
    void unchangedThroughputAfterRevertIsReported(
            double before, double changed, double after, boolean left) {
        var pool = new Intervention.LargerPool(Intervention.LargerPool.Kind.CONNECTIONS, 2);

        assertThat(of(pool, before, changed, after).isPresent()).isEqualTo(left);
    }

    @Test
    void warningShowsThroughputBeforeDuringAndAfterTheChange() {
        var cores = new Intervention.FewerCores(1);

        assertThat(of(cores, 246, 492, 494).orElseThrow().why())
                .isEqualTo(
                        "pool 5 -> 10: qps 246 before, 492 with it and 494 after it was taken back");
    }

    @Test
    void otherLoadLeavesNothingInTarget() {
        assertThat(of(new Intervention.InFlight(40), 100, 200, 200)).isEmpty();
    }
}
