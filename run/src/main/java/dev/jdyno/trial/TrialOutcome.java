package dev.jdyno.trial;

import dev.jdyno.measure.Attempt;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.GoalKnee;
import dev.jdyno.measure.verdict.Validity;
import java.util.List;
import java.util.Optional;

/// What a trial brought home. Nothing measured is lost: a trial that was cut short has a recording
/// too, marked partial.
///
/// @param ended why the ladder of loads ended, for the user
/// @param failure what cut it short, or left the target changed by an experiment; empty when it ran
///   to its end or was interrupted by the user
/// @param attempts what came of the experiments that put the verdict to the test; empty without
///   them
/// @param goal the bracket under the plan's goals, as far as it came; empty without goals
public record TrialOutcome(
        Recording recording,
        String ended,
        Optional<UserError> failure,
        Optional<GoalKnee> goal,
        List<Attempt> attempts) {
    public TrialOutcome {
        attempts = List.copyOf(attempts);
    }

    /// The same, with more that must be known of what was measured.
    public TrialOutcome with(List<Validity.Warning> warnings) {
        Recording warned = recording;
        for (Validity.Warning warning : warnings) {
            warned = warned.with(warning);
        }
        return new TrialOutcome(warned, ended, failure, goal, attempts);
    }
}
