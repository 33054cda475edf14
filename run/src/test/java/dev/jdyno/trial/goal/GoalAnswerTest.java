package dev.jdyno.trial.goal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.capacity.goal.OpenKnee;
import dev.jdyno.capacity.goal.OpenKnee.Outcome;
import dev.jdyno.capacity.goal.OpenKnee.Why;
import dev.jdyno.capacity.goal.ShareBounds;
import dev.jdyno.plan.GoalText;
import dev.jdyno.plan.Plan;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class GoalAnswerTest {
    private static String line(Outcome outcome, Why why, double lower, double share, double upper) {
        var wanted =
                new Plan.GoalSearch(
                        GoalText.goals("p99<100ms"),
                        Optional.empty(),
                        0.05,
                        OptionalDouble.empty());
        return GoalAnswer.line(
                wanted,
                new OpenKnee.Test(
                        450, 70, outcome, why, List.of(new ShareBounds(share, lower, upper))));
    }

    @Test
    void aRateIsGivenWithItsMissesAndTheirBounds() {
        assertThat(line(Outcome.GOOD, Why.NOTHING, 0.0012, 0.0031, 0.0062))
                .isEqualTo(
                        "rate 450.0/s good after 70 s: p99<100ms missed by 0.310 % (0.120 to 0.620 %, allowed 1.00 %)");
    }

    @Test
    void explainsBadRateThatStillMeetsItsGoals() {
        assertThat(line(Outcome.BAD, Why.FELL_BEHIND, 0, 0, 0.005))
                .contains("bad after 70 s: fewer requests ended than came");
        assertThat(line(Outcome.BAD, Why.RAN_AWAY, 0, 0.001, 0.02))
                .contains(
                        "bad after 70 s: the queue grew without end: half of the requests missed");
        assertThat(line(Outcome.OPEN, Why.RAN_AWAY_ONCE, 0, 0.001, 0.02))
                .contains("open after 70 s: the queue grew without end once");
        assertThat(line(Outcome.BAD, Why.MISSED, 0.02, 0.03, 0.05))
                .contains("bad after 70 s: p99<100ms missed by 3.00 %");
    }
}
