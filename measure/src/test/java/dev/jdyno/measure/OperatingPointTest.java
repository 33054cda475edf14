package dev.jdyno.measure;

import static dev.jdyno.measure.RoundFixture.round;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.GoalKnee;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OperatingPointTest {
    private static ThreadSamples window(int concurrency, double qps) {
        return new ThreadSamples(
                concurrency, qps, 10, 1, List.of(), List.of(), 0, 0, List.of(), Signals.NONE);
    }

    private static Recording recording(List<Round> rounds, ThreadSamples... windows) {
        return new Recording(
                new Machine(2, 1L << 34, "Linux", 0),
                new TargetFacts(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        2,
                        false,
                        List.of(),
                        List.of()),
                Optional.empty(),
                rounds,
                List.of(windows),
                List.of(),
                false);
    }

    private static final List<Round> RISING =
            List.of(
                    round(1, 50).build(),
                    round(5, 240).build(),
                    round(10, 390).build(),
                    round(20, 400).build(),
                    round(40, 396).build());

    @Test
    void operatingPointIsLowestLoadWithNearlyBestThroughput() {
        OperatingPoint point =
                OperatingPoint.of(
                                recording(RISING, window(1, 50), window(10, 380), window(40, 390)))
                        .orElseThrow();

        assertThat(point.concurrency()).isEqualTo(10);
        assertThat(point.window()).contains(window(10, 380));
        assertThat(OperatingPoint.loads(RISING)).containsExactly(10, 20, 40);
    }

    /// Breakdown and evidence need a diagnostic window.
    @Test
    void prefersLoadWithDiagnosticWindow() {
        assertThat(OperatingPoint.of(recording(RISING, window(1, 50), window(40, 390))))
                .hasValueSatisfying(p -> assertThat(p.concurrency()).isEqualTo(40));
        assertThat(OperatingPoint.of(recording(RISING, window(1, 50))))
                .hasValueSatisfying(p -> {
                    assertThat(p.concurrency()).isEqualTo(10);
                    assertThat(p.window()).isEmpty();
                });
        assertThat(OperatingPoint.of(recording(List.of()))).isEmpty();
    }

    /// If throughput falls, the operating point is the load before the fall.
    @Test
    void loadBeyondCollapseIsNoOperatingPoint() {
        var collapsing =
                List.of(round(5, 293).build(), round(20, 28).build(), round(40, 25).build());

        assertThat(OperatingPoint.of(recording(collapsing, window(5, 290), window(20, 25))))
                .hasValueSatisfying(p -> assertThat(p.concurrency()).isEqualTo(5));
    }

    @Test
    void disturbedRoundIsNeitherBestNorOperatingPoint() {
        Optional<Disturbance> by = Optional.of(new Disturbance(0.1, 0.9, 0, 1, List.of(), true));
        var rounds =
                List.of(
                        round(5, 240).build(),
                        round(10, 500).build().disturbed(by),
                        round(20, 400).build());

        assertThat(OperatingPoint.of(recording(rounds)))
                .hasValueSatisfying(p -> assertThat(p.concurrency()).isEqualTo(20));
        assertThat(OperatingPoint.of(recording(List.of(rounds.get(1)))))
                .as("for want of a better one")
                .isPresent();
    }

    /// A single round with high throughput at a low load is not the best throughput of that load.
    @Test
    void meanOfRoundsDecidesAndRoundNearestToWindowIsShown() {
        var rounds =
                List.of(
                        round(5, 300).build(),
                        round(5, 400).build(),
                        round(10, 398).build(),
                        round(10, 405).build());

        OperatingPoint point = OperatingPoint.of(recording(rounds, window(10, 407))).orElseThrow();

        assertThat(point.concurrency()).isEqualTo(10);
        assertThat(point.round().qps()).isEqualTo(405);
    }

    @Test
    void operatingPointIsHighestRateThatMeetsTheGoals() {
        Round kept = round(7, 150).build().atRate(150);
        Round other = round(9, 180).build().atRate(180);
        List<Round> rounds = List.of(RISING.get(0), RISING.get(3), kept, other);
        GoalKnee goal = knee(149);

        Optional<OperatingPoint> point =
                OperatingPoint.candidates(
                                recording(rounds, window(7, 150), window(20, 400)),
                                Optional.of(goal))
                        .stream()
                        .findFirst();

        assertThat(point.map(OperatingPoint::round)).contains(kept);
        assertThat(point.map(OperatingPoint::isRate)).contains(true);
        assertThat(point.flatMap(p -> p.load(recording(rounds)))).isEmpty();
        assertThat(OperatingPoint.candidates(recording(rounds, window(20, 400)), Optional.of(goal)))
                .as("no window was taken at a rate")
                .extracting(OperatingPoint::concurrency)
                .containsExactly(20);
    }

    private static GoalKnee knee(double good) {
        return new GoalKnee(
                List.of("p99<100ms"),
                Optional.of(good),
                Optional.empty(),
                good,
                1,
                true,
                "p99<100ms",
                "",
                0,
                400,
                60,
                1000,
                Optional.empty(),
                "",
                GoalKnee.Reason.BRACKETED,
                "",
                "",
                List.of(new GoalKnee.Tested(good, 60, GoalKnee.Outcome.GOOD, "", List.of())));
    }
}
