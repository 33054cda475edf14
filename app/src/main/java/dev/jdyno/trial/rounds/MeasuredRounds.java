package dev.jdyno.trial.rounds;

import dev.jdyno.measure.Disturbance;
import dev.jdyno.measure.DisturbedRounds;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.SameCores;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// All closed-loop rounds so far, and which of them count. A round that others disturbed is left
/// out, so that its load is asked for again; once that was done often enough the least disturbed
/// one of the load counts, marked.
///
/// @param counted undisturbed ones, and those that count all the same, in the order they came
/// @param leftOut the others
public record MeasuredRounds(List<Round> counted, List<Round> leftOut) {
    /// Disturbed rounds of one run that are measured again: on a machine that is never quiet more
    /// of them do not help, and the run must not take three times as long.
    public static final int MOST_AGAIN_IN_ALL = 6;

    /// Seconds that a run waits in all for others to leave the cores: most builds of a file, tests
    /// and cron jobs are over by then.
    public static final double MOST_WAIT_SECONDS = 30;

    public MeasuredRounds {
        counted = List.copyOf(counted);
        leftOut = List.copyOf(leftOut);
    }

    /// What others do is only known by comparison: each round may make an earlier one a disturbed
    /// one, or one that is not disturbed any more.
    ///
    /// @param all as they came
    public static MeasuredRounds of(List<Round> all) {
        List<Round> marked = DisturbedRounds.marked(all);
        long disturbed = marked.stream().filter(MeasuredRounds::isDisturbed).count();
        List<Round> counted = new ArrayList<>();
        List<Round> leftOut = new ArrayList<>();
        for (Round r : marked) {
            if (!isDisturbed(r)) {
                counted.add(r);
            } else if (isKept(r, marked, disturbed > MOST_AGAIN_IN_ALL)) {
                counted.add(r.disturbed(r.disturbance().map(Disturbance::asKept)));
            } else {
                leftOut.add(r);
            }
        }
        return new MeasuredRounds(counted, leftOut);
    }

    private static boolean isDisturbed(Round r) {
        return r.disturbance().isPresent();
    }

    private static boolean isKept(Round r, List<Round> all, boolean often) {
        List<Round> same = all.stream().filter(o -> o.concurrency() == r.concurrency()).toList();
        boolean enough = often || same.size() > DisturbedRounds.MOST_AGAIN;
        return enough
                && same.stream().allMatch(MeasuredRounds::isDisturbed)
                && same.stream()
                        .min(Comparator.comparingDouble(MeasuredRounds::by))
                        .filter(r::equals)
                        .isPresent();
    }

    private static double by(Round r) {
        return r.disturbance().map(d -> Math.abs(d.takenCores() - d.usualCores())).orElse(0.0);
    }

    /// All of them.
    public List<Round> all() {
        return Stream.concat(counted.stream(), leftOut.stream()).toList();
    }

    /// Whether disturbed rounds may still be measured again.
    public boolean mayRepeat() {
        return leftOut.size() <= MOST_AGAIN_IN_ALL;
    }

    /// What became of a round.
    public Round marked(Round measured) {
        return all().stream().filter(r -> areSame(r, measured)).findFirst().orElseThrow();
    }

    /// Whether both are one round, with more or less known of it.
    private static boolean areSame(Round one, Round other) {
        return one.concurrency() == other.concurrency() && one.slices().equals(other.slices());
    }

    /// Those that count, on the same cores.
    public List<Round> comparable() {
        return SameCores.of(counted);
    }

    /// Seconds of load that the left out ones took.
    public double secondsLost() {
        return leftOut.stream().mapToDouble(Round::seconds).sum();
    }

    /// The last disturbed round of a load that is measured again.
    public Optional<Disturbance> lastAt(int concurrency) {
        return leftOut.stream()
                .filter(r -> r.concurrency() == concurrency)
                .reduce((_, last) -> last)
                .flatMap(Round::disturbance);
    }
}
