package dev.jdyno.warm;

import dev.jdyno.compare.Effect;
import dev.jdyno.compare.Note;
import dev.jdyno.compare.Outcome;
import dev.jdyno.trial.ColdStart;
import java.util.List;
import java.util.Optional;

/// The warm-up time of a service in each start, and the ways that shortened it.
///
/// @param fullQps throughput of the warm, unchanged service
/// @param plateauQps throughput at the end of the traffic; empty unless it was clearly higher after
///   a pause of the load. In such a pause, the JIT compilers get the cores
/// @param asIs starts of the unchanged service
/// @param tried the ways that were tried, in their order
/// @param seconds duration of the study
/// @param notes notes for the reader
/// @param partial whether the study was cut short
public record Warmed(
        String plan,
        WarmSettings settings,
        double fullQps,
        Optional<Double> plateauQps,
        Starts asIs,
        List<Tried> tried,
        double seconds,
        List<Note> notes,
        boolean partial) {
    public Warmed {
        tried = List.copyOf(tried);
        notes = List.copyOf(notes);
    }

    /// The starts of one variant, in the order of measurement.
    public record Starts(List<ColdStart.Curve> curves, List<StartFigures> figures) {
        public Starts {
            curves = List.copyOf(curves);
            figures = List.copyOf(figures);
        }
    }

    /// One way to shorten the warm-up, compared with the unchanged service.
    public sealed interface Tried {
        Way way();

        /// @param lost ratio of the lost seconds, the primary figure; empty with fewer than two
        ///   starts
        /// @param firstAnswer ratio of the time to the first answer
        /// @param to90 ratio of the time to 90 %, over the starts in which both reached it
        /// @param outcome outcome of the primary figure; inconclusive with fewer than three starts
        /// @param speed ratio of throughput in the last seconds of the starts
        record Measured(
                Way way,
                Starts starts,
                Optional<Effect> lost,
                Optional<Effect> firstAnswer,
                Optional<Effect> to90,
                Outcome outcome,
                double speed)
                implements Tried {}

        /// @param why why the way could not be tried
        record Not(Way way, String why) implements Tried {}
    }
}
