package dev.jdyno.compare;

import dev.jdyno.measure.TargetFacts;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// The result of a comparison.
///
/// @param verdict that of the primary figure; worse, too, where more requests fail
/// @param rows one for each figure that was measured, the primary one first
/// @param starts of both variants
/// @param discarded blocks that were measured again
/// @param concurrency of the saturated blocks
/// @param ratePerS of the blocks at a fixed rate
/// @param seconds all of it took
/// @param secondsToDecide what the primary figure would need beyond that, by its interval now;
///   empty where it is decided or nothing can be said
/// @param restarted whether each start had fresh JVMs
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
        double seconds,
        Optional<Double> secondsToDecide,
        boolean restarted,
        double minEffect,
        Optional<TargetFacts> factsA,
        Optional<TargetFacts> factsB,
        List<String> notes,
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
    public record Row(
            Metric metric,
            OptionalDouble a,
            OptionalDouble b,
            Optional<Effect> effect,
            Outcome outcome,
            List<Double> ratios) {
        public Row {
            ratios = List.copyOf(ratios);
        }
    }

    public Optional<Row> row(Metric metric) {
        return rows.stream().filter(r -> r.metric() == metric).findFirst();
    }
}
