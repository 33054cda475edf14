package dev.jdyno.trial.rounds;

import dev.jdyno.measure.Disturbance;
import dev.jdyno.measure.DisturbedRounds;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.SameCores;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// All closed-loop rounds so far, and which of them count. A round that others disturbed is left
/// out, so that its load is asked for again; once that was done often enough the least disturbed
/// one of the load counts, marked.
public final class MeasuredRounds {
    /// Disturbed rounds of one run that are measured again: on a machine that is never quiet more
    /// of them do not help, and the run must not take three times as long.
    public static final int MOST_AGAIN_IN_ALL = 6;

    private final List<Round> all;

    private MeasuredRounds(List<Round> all) {
        this.all = List.copyOf(all);
    }

    /// What others do is only known by comparison: each round may make an earlier one a disturbed
    /// one, or one that is not disturbed any more.
    ///
    /// @param all as they came, while more may come
    public static MeasuredRounds of(List<Round> all) {
        return of(all, false);
    }

    /// No load is asked for again: of each one that has no other round the least disturbed counts.
    ///
    /// @param all as they came, when no more will come
    public static MeasuredRounds closed(List<Round> all) {
        return of(all, true);
    }

    private static MeasuredRounds of(List<Round> all, boolean closed) {
        List<Round> marked = DisturbedRounds.marked(all);
        boolean often = closed || disturbed(marked) > MOST_AGAIN_IN_ALL;
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

    /// @param often whether the load is not measured again, however few rounds it has
    private static boolean isKept(int index, List<Round> marked, boolean often) {
        int concurrency = marked.get(index).concurrency();
        List<Integer> same = new ArrayList<>();
        for (int i = 0; i < marked.size(); i++) {
            if (marked.get(i).concurrency() == concurrency) {
                same.add(i);
            }
        }
        return (often || same.size() > DisturbedRounds.MOST_AGAIN)
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

    /// All of them, marked, in the order they came.
    public List<Round> all() {
        return all;
    }

    /// Undisturbed ones, and those that count all the same, in the order they came.
    public List<Round> counted() {
        return all.stream().filter(r -> !isLeftOut(r)).toList();
    }

    /// The others.
    public List<Round> leftOut() {
        return all.stream().filter(MeasuredRounds::isLeftOut).toList();
    }

    /// Whether a load may be measured. Where others disturbed the last round of it, that would be a
    /// repetition, of which each load and each run has a few.
    public boolean mayMeasure(int concurrency) {
        long before = leftOut().stream().filter(r -> r.concurrency() == concurrency).count();
        return lastAt(concurrency).isEmpty()
                || (before <= DisturbedRounds.MOST_AGAIN && disturbed(all) <= MOST_AGAIN_IN_ALL);
    }

    /// What became of a round.
    public Round marked(Round measured) {
        return all.stream().filter(r -> areSame(r, measured)).findFirst().orElseThrow();
    }

    /// Whether both are one round, with more or less known of it.
    private static boolean areSame(Round one, Round other) {
        return one.concurrency() == other.concurrency() && one.slices().equals(other.slices());
    }

    /// Those that count, on the same cores.
    public List<Round> comparable() {
        return SameCores.of(counted());
    }

    /// Seconds of load that the left out ones took.
    public double secondsLost() {
        return leftOut().stream().mapToDouble(Round::seconds).sum();
    }

    /// What others did to the last round of a load; empty where that one counts, or the load has
    /// none.
    public Optional<Disturbance> lastAt(int concurrency) {
        return all.stream()
                .filter(r -> r.concurrency() == concurrency)
                .reduce((_, last) -> last)
                .filter(MeasuredRounds::isLeftOut)
                .flatMap(Round::disturbance);
    }
}
