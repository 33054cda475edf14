package dev.jdyno.trial.rounds;

import dev.jdyno.measure.Disturbance;
import dev.jdyno.measure.DisturbedRounds;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.SameCores;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// All closed-loop rounds so far, and the choice of those for the result. A disturbed round is left
/// out, so that its load is measured again. When a load may not be measured again, its least
/// disturbed round becomes part of the result and is marked.
public final class MeasuredRounds {
    /// Maximum number of disturbed rounds of one run that are measured again. On a machine that is
    /// never quiet, more of them do not help, and the run must not take three times as long.
    public static final int MAX_REPEATS_OF_RUN = 6;

    private final List<Round> all;

    private MeasuredRounds(List<Round> all) {
        this.all = List.copyOf(all);
    }

    /// Marks the rounds while more rounds may follow. Disturbances are only known by comparison, so
    /// each new round may change whether an earlier one counts as disturbed.
    ///
    /// @param all in the order they came
    public static MeasuredRounds of(List<Round> all) {
        return of(all, false);
    }

    /// Marks the rounds when no more rounds will follow. No load is measured again. For a load with
    /// only disturbed rounds, the least disturbed one becomes part of the result.
    ///
    /// @param all in the order they came
    public static MeasuredRounds closed(List<Round> all) {
        return of(all, true);
    }

    private static MeasuredRounds of(List<Round> all, boolean closed) {
        List<Round> marked = DisturbedRounds.marked(all);
        boolean often = closed || disturbed(marked) > MAX_REPEATS_OF_RUN;
        List<Round> rounds = new ArrayList<>();
        for (int i = 0; i < marked.size(); i++) {
            Round r = marked.get(i);
            rounds.add(
                    isKept(i, marked, often)
                            ? r.disturbed(r.disturbance().map(Disturbance::asKept))
                            : r);
        }
        return new MeasuredRounds(rounds);
    }

    private static long disturbed(List<Round> rounds) {
        return rounds.stream().filter(MeasuredRounds::isDisturbed).count();
    }

    private static boolean isDisturbed(Round r) {
        return r.disturbance().isPresent();
    }

    /// @param often true if no load may be measured again, however few rounds it has
    private static boolean isKept(int index, List<Round> marked, boolean often) {
        int concurrency = marked.get(index).concurrency();
        List<Integer> same = new ArrayList<>();
        for (int i = 0; i < marked.size(); i++) {
            if (marked.get(i).concurrency() == concurrency) {
                same.add(i);
            }
        }
        return (often || same.size() > DisturbedRounds.MAX_REPEATS)
                && same.stream().allMatch(i -> isDisturbed(marked.get(i)))
                && same.stream()
                        .min(Comparator.comparingDouble(i -> difference(marked.get(i))))
                        .filter(i -> i == index)
                        .isPresent();
    }

    private static double difference(Round r) {
        return r.disturbance().map(Disturbance::difference).orElse(0.0);
    }

    private static boolean isLeftOut(Round r) {
        return r.disturbance().filter(d -> !d.kept()).isPresent();
    }

    /// All rounds, marked, in the order of measurement.
    public List<Round> all() {
        return all;
    }

    /// The rounds of the result in the order of measurement: undisturbed ones, and disturbed ones
    /// without a better round.
    public List<Round> counted() {
        return all.stream().filter(r -> !isLeftOut(r)).toList();
    }

    /// Rounds that do not count.
    public List<Round> leftOut() {
        return all.stream().filter(MeasuredRounds::isLeftOut).toList();
    }

    /// True if a load may be measured. If other processes disturbed its last round, this would be a
    /// repetition, and the number of repetitions of each load and of each run is limited.
    public boolean mayMeasure(int concurrency) {
        long before = leftOut().stream().filter(r -> r.concurrency() == concurrency).count();
        return lastAt(concurrency).isEmpty()
                || (before <= DisturbedRounds.MAX_REPEATS && disturbed(all) <= MAX_REPEATS_OF_RUN);
    }

    /// The round as it is marked now.
    public Round marked(Round measured) {
        return all.stream().filter(r -> areSame(r, measured)).findFirst().orElseThrow();
    }

    /// True if the two objects are one round, possibly with different figures added.
    private static boolean areSame(Round one, Round other) {
        return one.concurrency() == other.concurrency() && one.slices().equals(other.slices());
    }

    /// The rounds of the result, scaled to the same cores.
    public List<Round> comparable() {
        return SameCores.of(counted());
    }

    /// Seconds of load in the rounds that were left out.
    public double secondsLost() {
        return leftOut().stream().mapToDouble(Round::seconds).sum();
    }

    /// The disturbance of the last round of a load; empty if that round is part of the result, or
    /// if the load has no round.
    public Optional<Disturbance> lastAt(int concurrency) {
        return all.stream()
                .filter(r -> r.concurrency() == concurrency)
                .reduce((_, last) -> last)
                .filter(MeasuredRounds::isLeftOut)
                .flatMap(Round::disturbance);
    }
}
