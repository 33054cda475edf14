package dev.jdyno.tune;

import java.time.Duration;
import java.util.List;

/// The remaining steps when the budget ended the search for better settings.
///
/// @param spentSeconds time spent until then
/// @param moreSeconds longest expected time of the steps that were left
/// @param keptSeconds expected time of what follows them: taking changes out and the confirmation
/// @param unseen candidates that were never started, the most promising first
/// @param notCompared number of promising candidates that were started once, but not compared
/// @param anew whether the service with the last accepted change was not diagnosed; that diagnosis
///   might give more candidates
/// @param next approximate budget with time for the next candidate alone: a look at it and its
///   comparison; in whole minutes
/// @param enough approximate budget that would have sufficed: the three times together, in whole
///   minutes
public record SearchEnd(
        Duration budget,
        double spentSeconds,
        double moreSeconds,
        double keptSeconds,
        List<Candidate> unseen,
        int notCompared,
        boolean anew,
        Duration next,
        Duration enough) {
    public SearchEnd {
        unseen = List.copyOf(unseen);
    }

    /// Longest expected time until the end of a tuning that goes on.
    public double remainingSeconds() {
        return moreSeconds + keptSeconds;
    }
}
