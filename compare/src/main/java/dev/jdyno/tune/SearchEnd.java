package dev.jdyno.tune;

import java.time.Duration;
import java.util.List;

/// What was left when the budget ended the search for better settings.
///
/// @param spentSeconds until then
/// @param keptSeconds of the budget for what follows: taking changes out, and the confirmation
/// @param unseen candidates at which it has not looked, those of which most is expected first
/// @param notCompared candidates that a look found worth a comparison
/// @param anew whether what was accepted last was not diagnosed, for which there may be more
///   candidates
/// @param enough a budget that has time for what was left, roughly
public record SearchEnd(
        Duration budget,
        double spentSeconds,
        double keptSeconds,
        List<Candidate> unseen,
        int notCompared,
        boolean anew,
        Duration enough) {
    public SearchEnd {
        unseen = List.copyOf(unseen);
    }
}
