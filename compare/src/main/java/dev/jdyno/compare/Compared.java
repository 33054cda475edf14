package dev.jdyno.compare;

import dev.jdyno.measure.TargetFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The result of a comparison.
///
/// @param verdict that of the primary figure; worse, too, where more requests fail
/// @param rows one for each figure that was measured, the primary one first
/// @param starts of both variants
/// @param discarded blocks that were measured again
/// @param concurrency of the saturated blocks
/// @param ratePerS of the blocks at a fixed rate
/// @param goalMs what the goal limits, of B at the fixed rate; empty without a goal
/// @param seconds all of it took
/// @param secondsToDecide what the primary figure would need beyond that, by its interval now;
///   empty where it is decided or nothing can be said
/// @param restarted whether each start had fresh JVMs
/// @param difference where the difference comes from; empty where neither was looked into
/// @param notes what the reader must know
/// @param partial whether it was cut short
public record Compared(
        Outcome verdict,
        Metric primary,
        List<Row> rows,
        int starts,
        int pairs,
        int discarded,
        int concurrency,
        double ratePerS,
        Optional<Double> goalMs,
        double seconds,
        Optional<Double> secondsToDecide,
        boolean restarted,
        double minEffect,
        Optional<TargetFacts> factsA,
        Optional<TargetFacts> factsB,
        Optional<Difference> difference,
        List<Note> notes,
        boolean partial) {
    public Compared {
        rows = List.copyOf(rows);
        notes = List.copyOf(notes);
    }

    /// One figure.
    ///
    /// @param a mean over the blocks of A; empty where it was not measured
    /// @param effect empty where there is no ratio yet
    /// @param ratios B / A of each start that has the figure, in the order of the starts
    /// @param blocks what each start measured
    public record Row(
            Metric metric,
            OptionalDouble a,
            OptionalDouble b,
            Optional<Effect> effect,
            Outcome outcome,
            List<Double> ratios,
            List<Blocks> blocks) {
        public Row {
            ratios = List.copyOf(ratios);
            blocks = List.copyOf(blocks);
        }
    }

    /// The figure in each block of one start.
    public record Blocks(List<Double> a, List<Double> b) {
        public Blocks {
            a = List.copyOf(a);
            b = List.copyOf(b);
        }

        static Blocks of(Start start, Metric metric) {
            return new Blocks(start.values(metric, Arm.A), start.values(metric, Arm.B));
        }
    }

    public Optional<Row> row(Metric metric) {
        return rows.stream().filter(r -> r.metric() == metric).findFirst();
    }

    /// Whether a figure differs by more than noise.
    public boolean differs() {
        return rows.stream()
                .anyMatch(r -> r.outcome() == Outcome.BETTER || r.outcome() == Outcome.WORSE);
    }

    /// Why it ended before its time; empty where it did not.
    public String failure() {
        return notes.stream()
                .flatMap(n ->
                        n instanceof Note.Failed(String what, String why)
                                ? Stream.of(what + ": " + why)
                                : Stream.empty())
                .collect(Collectors.joining("; "));
    }

    /// The same, with where the difference comes from.
    public Compared with(Difference found) {
        return with(Optional.of(found), notes);
    }

    /// The same with one more note.
    public Compared noting(Note note) {
        List<Note> more = new ArrayList<>(notes);
        more.add(note);
        return with(difference, more);
    }

    private Compared with(Optional<Difference> where, List<Note> said) {
        return new Compared(
                verdict,
                primary,
                rows,
                starts,
                pairs,
                discarded,
                concurrency,
                ratePerS,
                goalMs,
                seconds,
                secondsToDecide,
                restarted,
                minEffect,
                factsA,
                factsB,
                where,
                said,
                partial);
    }
}
