package dev.jdyno.trial.rounds;

import dev.jdyno.capacity.KneeSearch;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.verdict.Validity;
import dev.jdyno.measure.verdict.Validity.Warning;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Warns that a ladder of loads was cut off before its planned end, and names the loads left.
public final class CutSearch {
    private CutSearch() {}

    /// @param next the next step that the ladder would have taken
    /// @param planned the loads of the plan; empty if they are searched for
    /// @param rounds the rounds that were measured until then
    /// @return empty if no load was left, or if no round was run
    public static Optional<Warning> of(
            KneeSearch.Step next, List<Integer> planned, MeasuredRounds rounds) {
        if (rounds.all().isEmpty() || !(next instanceof KneeSearch.Step.Measure wanted)) {
            return Optional.empty();
        }
        String loads =
                planned.isEmpty()
                        ? wanted.concurrency() + " in flight was next"
                        : toCome(planned, rounds);
        int max = rounds.all().stream().mapToInt(Round::concurrency).max().orElseThrow();
        return Optional.of(
                new Warning(
                        Validity.SEARCH_CUT,
                        "the search was cut off after "
                                + max
                                + " in flight: "
                                + loads
                                + ", and a load that was not run may show another limit",
                        false));
    }

    /// The loads left: first those to be repeated because other processes had disturbed them, then
    /// those that were not run at all.
    private static String toCome(List<Integer> planned, MeasuredRounds rounds) {
        List<Integer> notRun = NextRound.missing(planned, rounds.all());
        List<Integer> again = new ArrayList<>(NextRound.missing(planned, rounds.counted()));
        notRun.forEach(again::remove);
        Stream<String> disturbed =
                again.isEmpty()
                        ? Stream.of()
                        : Stream.of(list(again) + " in flight not run without disturbance");
        Stream<String> never =
                notRun.isEmpty() ? Stream.of() : Stream.of(list(notRun) + " in flight not run");
        return Stream.concat(disturbed, never).collect(Collectors.joining(", "));
    }

    private static String list(List<Integer> loads) {
        return loads.stream().map(n -> Integer.toString(n)).collect(Collectors.joining(", "));
    }
}
