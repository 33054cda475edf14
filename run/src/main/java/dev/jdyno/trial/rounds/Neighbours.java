package dev.jdyno.trial.rounds;

import dev.jdyno.measure.Disturbance;
import dev.jdyno.measure.DisturbanceText;
import dev.jdyno.measure.DisturbedRounds;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.verdict.DecidingWarning;
import dev.jdyno.measure.verdict.Validity.Warning;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Checks whether other processes used the same amount of CPU at all rates of a search. More
/// neighbour load than usual makes a rate look bad; a usual neighbour that is missing makes it look
/// good.
public final class Neighbours {
    private Neighbours() {}

    /// The rates as rounds, marked if their neighbour load differs. All of them stay in the result,
    /// because the search has judged them.
    public static List<Round> marked(List<Round> rates) {
        return DisturbedRounds.marked(rates).stream()
                .map(r -> r.disturbed(r.disturbance().map(Disturbance::asKept)))
                .toList();
    }

    /// @param rates the rates that were driven
    /// @return empty if neighbours were steady, or the target's CPU was not measured
    public static Optional<Warning> of(List<Round> rates) {
        List<Round> disturbed =
                DisturbedRounds.marked(rates).stream()
                        .filter(r -> r.disturbance().isPresent())
                        .toList();
        return disturbed.stream()
                .max(Comparator.comparingDouble(r -> r.disturbance().orElseThrow().difference()))
                .map(max ->
                        new Warning(
                                DecidingWarning.NEIGHBOURS_MOVED.id(),
                                String.format(
                                        Locale.ROOT,
                                        "others disturbed %d of %d rates, most %.4g/s: %s; that one may be %s than it"
                                                + " looks",
                                        disturbed.size(),
                                        rates.size(),
                                        max.ratePerS().orElseThrow(),
                                        DisturbanceText.says(max.disturbance().orElseThrow()),
                                        max.disturbance().orElseThrow().more()
                                                ? "better"
                                                : "worse"),
                                false));
    }
}
