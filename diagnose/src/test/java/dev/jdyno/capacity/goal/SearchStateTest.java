package dev.jdyno.capacity.goal;

import static dev.jdyno.capacity.goal.OpenKneeSearchTest.trial;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.capacity.goal.OpenKnee.Why;
import dev.jdyno.capacity.goal.OpenKneeSearch.Settings;
import dev.jdyno.measure.load.Goal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The outcome of a rate, and its reason.
class SearchStateTest {
    private static final Goal P95 = Goal.responseTime("p95<50ms", 0.95, 50);
    private static final Goal P99 = Goal.responseTime("p99<50ms", 0.99, 50);

    /// No request exceeds the goal of 10 s for minutes, but the backlog grows.
    @Test
    void rateThatServiceCannotKeepIsBad() {
        var far = Goal.responseTime("p99<10s", 0.99, 10_000);
        OpenTrial behind = trial(525, 40, 500, 0);
        OpenTrial within = trial(525, 40, 520, 0);

        var state =
                new SearchState(Settings.of(List.of(far), 600, 0.05), 500, List.of(behind, within));

        assertThat(state.outcome(behind)).isEqualTo(OpenKnee.Outcome.BAD);
        assertThat(state.outcome(within)).isEqualTo(OpenKnee.Outcome.OPEN);
        assertThat(whys(state)).containsExactly(Why.FELL_BEHIND, Why.NOTHING);
    }

    /// A long pause can explain many seconds of misses, so no queue is seen to run away. Where
    /// fewer requests end than arrive, the backlog is the reason nevertheless.
    @ParameterizedTest
    @CsvSource({
        "100, 20, 20, 1200, 2000, FELL_BEHIND",
        "100, 60, 20, 1200, 2000, FELL_BEHIND",
        "525, 450, 450, 1200, 2000, FELL_BEHIND",
        "525, 450, 100, 1200, 2000, FELL_BEHIND",
        "100, 20, 20, 1200, 50, FELL_BEHIND",
        "300, 300, 100, 1200, 2000, MISSED",
        "300, 290, 100, 10, 50, MISSED",
        "525, 480, 480, 1900, 2000, MISSED"
    })
    void backlogIsTheReasonForMisses(
            double ratePerS, long requests, long misses, double pauseMs, double limitMs, Why why) {
        List<OpenTrial.Slice> slices = trial(ratePerS, 40, requests, misses).slices();
        var paused = new OpenTrial(ratePerS, slices, List.of(new OpenTrial.Pause(1, pauseMs)));
        Goal goal = Goal.responseTime("p95", 0.95, limitMs);

        var state =
                new SearchState(Settings.of(List.of(goal), 600, 0.05), requests, List.of(paused));

        assertThat(state.outcome(paused)).isEqualTo(OpenKnee.Outcome.BAD);
        assertThat(whys(state)).containsExactly(why);
    }

    private static List<Why> whys(SearchState state) {
        return state.answer(100, OpenKnee.Reason.CUT_SHORT).tests().stream()
                .map(OpenKnee.Test::why)
                .toList();
    }

    @Test
    void firstSliceMayBeLongerThanHalfOfTheTrial() {
        var slow = new OpenTrial.Slice(30, 3000, List.of(0L), 5);
        var rest = new OpenTrial.Slice(10, 1000, List.of(0L), 8);
        var trial = new OpenTrial(100, List.of(slow, rest), List.of());

        var state = new SearchState(Settings.of(List.of(P99), 600, 0.05), 414, List.of(trial));

        assertThat(whys(state)).containsExactly(Why.NOTHING);
    }

    /// Poisson arrivals: in the last 20 s, 7 % fewer came than the rate, and all of them ended.
    @ParameterizedTest
    @CsvSource({"93, 0", "93, 12", "80, 40"})
    void fewArrivalsAreNoBacklog(long requests, long inFlight) {
        var slice = new OpenTrial.Slice(1, requests, List.of(0L), inFlight);
        var few = new OpenTrial(100, Collections.nCopies(40, slice), List.of());

        var state = new SearchState(Settings.of(List.of(P99), 600, 0.05), 414, List.of(few));

        assertThat(state.outcome(few)).isEqualTo(OpenKnee.Outcome.OPEN);
        assertThat(whys(state)).containsExactly(Why.NOTHING);
    }

    /// A rate that missed the goal once by a disturbance and met it in the second trial is not bad.
    @Test
    void secondSuccessfulTrialDecidesRate() {
        OpenTrial disturbed = trial(300, 8, 300, 300);
        OpenTrial calm = trial(300, 70, 300, 0);

        var state =
                new SearchState(
                        Settings.of(List.of(P95), 600, 0.05), 500, List.of(disturbed, calm));

        assertThat(state.outcome(disturbed)).isEqualTo(OpenKnee.Outcome.OPEN);
        assertThat(state.outcome(calm)).isEqualTo(OpenKnee.Outcome.GOOD);
        assertThat(whys(state)).containsExactly(Why.RAN_AWAY_ONCE, Why.NOTHING);
    }

    @Test
    void queueThatRanAwayTwiceOrNearSaturationIsNotBlamedOnNeighbour() {
        var twice = List.of(trial(300, 8, 300, 300), trial(300, 8, 300, 300));
        var near = List.of(trial(470, 12, 400, 400));

        for (List<OpenTrial> trials : List.of(twice, near)) {
            var state = new SearchState(Settings.of(List.of(P95), 600, 0.05), 500, trials);
            assertThat(whys(state)).containsOnly(Why.RAN_AWAY);
            assertThat(state.bad()).isPresent();
        }
    }

    @Test
    void aRateThatMissesOneOfSeveralGoalsIsBad() {
        var goals = List.of(P95, P99);
        var settings = Settings.of(goals, 600, 0.05);
        // 2 % of the requests exceed 50 ms: good for p95, bad for p99
        List<OpenTrial.Slice> slices = new ArrayList<>();
        for (int s = 0; s < 120; s++) {
            slices.add(new OpenTrial.Slice(1, 400, List.of(8L, 8L), 0));
        }
        var trial = new OpenTrial(400, slices, List.of());

        var state = new SearchState(settings, 500, List.of(trial));

        assertThat(state.outcome(trial)).isEqualTo(OpenKnee.Outcome.BAD);
        assertThat(whys(state)).containsExactly(Why.MISSED);
    }
}
