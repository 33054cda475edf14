package dev.jdyno.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.RoundFixture;
import dev.jdyno.plan.Plan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class LadderTest {
    /// Climbs a service whose throughput at N is `qps`; gives the loads that were measured.
    private static List<Integer> climb(IntToDoubleFunction qps, Plan.Rounds plan) {
        List<Round> rounds = new ArrayList<>();
        while (Ladder.next(rounds, plan) instanceof Ladder.Step.Measure(int n)) {
            rounds.add(RoundFixture.round(n, qps.applyAsDouble(n)).build());
        }
        return rounds.stream().map(Round::concurrency).toList();
    }

    @Test
    void climbsUntilTwiceTheLoadGivesNoMoreThenMeasuresTheKnee() {
        // 10 ms CPU on 2 cores + 80 ms wait (E1): N* = 18, X = 200/s
        List<Integer> loads = climb(n -> Math.min(200, n / 0.09), Plan.Rounds.DEFAULT);

        assertThat(loads).containsExactly(1, 2, 4, 8, 16, 32, 64, 128);
    }

    @Test
    void measuresAtTheKneeWhenNoRoundStandsNear() {
        List<Integer> loads = climb(n -> Math.min(1100, n * 100), Plan.Rounds.DEFAULT);

        assertThat(loads).containsExactly(1, 2, 4, 8, 16, 32, 64, 11);
    }

    @Test
    void endsAtOnceWhenThroughputFallsBack() {
        List<Integer> loads = climb(n -> n <= 8 ? n * 10 : 40, Plan.Rounds.DEFAULT);

        assertThat(loads).containsExactly(1, 2, 4, 8, 16);
    }

    @Test
    void stopsAtThePlansHighestConcurrency() {
        var plan = new Plan.Rounds(Duration.ofSeconds(6), Duration.ofSeconds(1), List.of(), 20);

        assertThat(climb(n -> n * 10, plan)).containsExactly(1, 2, 4, 8, 16, 20);
    }

    @Test
    void runsTheGivenLoadsAndNoOthers() {
        var plan =
                new Plan.Rounds(
                        Duration.ofSeconds(6), Duration.ofSeconds(1), List.of(2, 100, 200), 512);

        assertThat(climb(_ -> 1000, plan)).containsExactly(2, 100, 200);
    }
}
