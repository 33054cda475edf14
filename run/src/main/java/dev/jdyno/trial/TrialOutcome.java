package dev.jdyno.trial;

import dev.jdyno.measure.Attempt;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.GoalKnee;
import dev.jdyno.measure.verdict.Validity;
import java.util.List;
import java.util.Optional;

/// Results of a trial. Nothing measured is lost: a trial that was cut short has a recording, too,
/// which is marked partial.
///
/// @param ended the reason why the ladder of loads ended, for the user
/// @param failure the error that cut the trial short, or that left the target changed after an
///   experiment; empty if the trial ran to its end or was interrupted by the user
/// @param attempts results of the experiments that tested the verdict; empty without experiments
/// @param goal the bracket under the plan's goals, as far as it was found; empty without goals
public record TrialOutcome(
        Recording recording,
        String ended,
        Optional<UserError> failure,
        Optional<GoalKnee> goal,
        List<Attempt> attempts) {
    public TrialOutcome {
        attempts = List.copyOf(attempts);
    }

    /// The same outcome with more warnings about the measurements.
    public TrialOutcome with(List<Validity.Warning> warnings) {
        Recording warned = recording;
        for (Validity.Warning warning : warnings) {
            warned = warned.with(warning);
        }
        return new TrialOutcome(warned, ended, failure, goal, attempts);
    }
}
