package dev.jdyno.warm;

import dev.jdyno.compare.Effect;
import dev.jdyno.compare.Note;
import dev.jdyno.compare.Outcome;
import dev.jdyno.trial.ColdStart;
import java.util.List;
import java.util.Optional;

/// How long a service took until it was warm, start by start, and what shortened it.
///
/// @param fullQps throughput of the warm service as it is
/// @param plateauQps throughput at the end of the traffic where a rest brought more: the compilers
///   lacked cores; empty where it did not
/// @param asIs starts of the service as it is
/// @param tried what was tried beside it, in the order of the ways
/// @param seconds all of it took
/// @param notes what must be known of it
/// @param partial whether it was cut short
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

    /// The starts of one variant, in the order in which they were measured.
    public record Starts(List<ColdStart.Curve> curves, List<StartFigures> figures) {
        public Starts {
            curves = List.copyOf(curves);
            figures = List.copyOf(figures);
        }
    }

    /// One way beside the service as it is.
    public sealed interface Tried {
        Way way();

        /// @param lost ratio of the lost seconds, the primary figure; empty with fewer than two
        ///   starts
        /// @param firstAnswer ratio of the time to the first answer
        /// @param to90 ratio of the time to 90 %, of the starts in which both reached it
        /// @param outcome of the primary figure; inconclusive with fewer than three starts
        /// @param speed ratio of its throughput in the last seconds of its starts
        record Measured(
                Way way,
                Starts starts,
                Optional<Effect> lost,
                Optional<Effect> firstAnswer,
                Optional<Effect> to90,
                Outcome outcome,
                double speed)
                implements Tried {}

        /// @param why it cannot be
        record Not(Way way, String why) implements Tried {}
    }
}
