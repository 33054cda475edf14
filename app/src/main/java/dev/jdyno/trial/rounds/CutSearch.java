package dev.jdyno.trial.rounds;

import dev.jdyno.capacity.KneeSearch;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.verdict.Validity;
import dev.jdyno.measure.verdict.Validity.Warning;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// A ladder of loads that was cut off before its planned end: which loads were to come.
public final class CutSearch {
    private CutSearch() {}

    /// @param next what the ladder would have done
    /// @param planned the loads of the plan; empty where they are searched for
    /// @return empty when nothing was to come, or nothing was run that could be judged
    public static Optional<Warning> of(
            KneeSearch.Step next, List<Integer> planned, List<Round> rounds) {
        if (rounds.isEmpty() || !(next instanceof KneeSearch.Step.Measure wanted)) {
            return Optional.empty();
        }
        String loads =
                planned.isEmpty()
                        ? wanted.concurrency() + " in flight was next"
                        : planned.stream()
                                        .skip(rounds.size())
                                        .map(n -> Integer.toString(n))
                                        .collect(Collectors.joining(", "))
                                + " in flight not run";
        int most = rounds.stream().mapToInt(Round::concurrency).max().orElseThrow();
        return Optional.of(
                new Warning(
                        Validity.SEARCH_CUT,
                        "the search was cut off after "
                                + most
                                + " in flight: "
                                + loads
                                + ", and a load that was not run may show another limit",
                        false));
    }
}
