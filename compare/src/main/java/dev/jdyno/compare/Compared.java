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
/// @param verdict the outcome of the primary figure, or worse if B fails more requests
/// @param rows one row for each measured figure, the primary one first
/// @param starts number of starts of both variants
/// @param discarded number of blocks that were measured again
/// @param concurrency requests in flight in the saturated blocks
/// @param ratePerS rate of the blocks at a fixed rate
/// @param goalMs B's value at the fixed rate of the percentile that the goal limits; empty without
///   a goal
/// @param seconds duration of the comparison
/// @param secondsToDecide estimated further time until the primary figure is decided, from its
///   present interval; empty if it is decided or cannot be estimated
/// @param restarted whether each start had fresh JVMs
/// @param difference the code and waits that cause the difference; empty if neither variant was
///   diagnosed
/// @param notes notes for the reader
/// @param partial whether the comparison was cut short
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

    /// The comparison of one figure.
    ///
    /// @param a mean over the blocks of A; empty if it was not measured
    /// @param effect empty if no ratio is known yet
    /// @param ratios B / A of each start that has the figure, in the order of the starts
    /// @param blocks the figure's values in the blocks of each start
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

    /// The values of a figure in the blocks of one start.
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

    /// True if at least one figure is better or worse beyond noise.
    public boolean differs() {
        return rows.stream()
                .anyMatch(r -> r.outcome() == Outcome.BETTER || r.outcome() == Outcome.WORSE);
    }

    /// Returns why the comparison failed; empty if it did not.
    public String failure() {
        return notes.stream()
                .flatMap(n ->
                        n instanceof Note.Failed(String what, String why)
                                ? Stream.of(what + ": " + why)
                                : Stream.empty())
                .collect(Collectors.joining("; "));
    }

    /// Returns the same result with the source of the difference.
    public Compared with(Difference found) {
        return with(Optional.of(found), notes);
    }

    /// Returns the same result with one more note.
    public Compared noting(Note note) {
        List<Note> more = new ArrayList<>(notes);
        more.add(note);
        return with(difference, more);
    }

    private Compared with(Optional<Difference> where, List<Note> reportedNotes) {
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
                reportedNotes,
                partial);
    }
}
