package dev.jdyno.guard;

import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Note;
import dev.jdyno.history.Entry;
import dev.jdyno.measure.text.Secrets;
import dev.jdyno.measure.verdict.Bottleneck;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The result of one guarded run.
///
/// @param figures judged figures, the least noisy ones first
/// @param bottleneck today's bottleneck of the service; empty if the run was stopped before a
///   diagnosis
/// @param movedFrom the bottleneck before, if it changed
/// @param grew methods whose CPU time per request grew, the largest growth first
/// @param allocates methods whose allocation per request grew, if allocation is worse
/// @param days number of earlier days in the comparison
/// @param confirmed whether the service was measured a second time because a figure looked worse;
///   false also if the budget had no time for it
/// @param measurements today's measurements in comparisons with earlier days: one, or two if
///   confirmed
/// @param machine time of the reference loop today ÷ its mean on earlier days; empty without
///   earlier days
/// @param partial whether the run was cut short
/// @param notes notes for the reader
public record Guarded(
        String plan,
        Overall verdict,
        Mode mode,
        List<FigureRow> figures,
        Optional<Bottleneck> bottleneck,
        Optional<Bottleneck> movedFrom,
        List<Grew> grew,
        List<Allocates> allocates,
        int days,
        boolean confirmed,
        List<Measurement> measurements,
        Optional<Double> machine,
        boolean partial,
        double seconds,
        List<Note> notes) {
    /// Minimum number of earlier days: fewer do not show how much a figure varies.
    public static final int MIN_DAYS = 4;

    public Guarded {
        plan = Secrets.text(plan);
        figures = List.copyOf(figures);
        grew = List.copyOf(grew);
        allocates = List.copyOf(allocates);
        measurements = List.copyOf(measurements);
        notes = List.copyOf(notes);
    }

    /// The verdict over all figures.
    public enum Overall {
        OK("ok"),
        REGRESSION("regression"),
        UNCLEAR("unclear");

        private final String key;

        Overall(String key) {
            this.key = key;
        }

        /// The key in `guard --json`.
        public String key() {
            return key;
        }
    }

    /// The reference of the comparison.
    public enum Mode {
        /// A pinned build, measured in turns.
        REFERENCE("reference"),
        /// Earlier days.
        HISTORY("history");

        private final String key;

        Mode(String key) {
            this.key = key;
        }

        /// The key in `guard --json`.
        public String key() {
            return key;
        }
    }

    /// The figures of one measurement, without a judgement.
    ///
    /// @param machineNs CPU time of a step of the reference loop, which is the same every day
    /// @param starts the figures of each start, as means over its blocks
    public record Measurement(double machineNs, List<Map<Metric, Double>> starts) {
        public Measurement {
            starts = List.copyOf(starts);
        }
    }

    /// CPU time of one request in a method and in the JDK methods that it calls.
    public record Grew(String method, double beforeMs, double afterMs) {
        public double byMs() {
            return afterMs - beforeMs;
        }
    }

    /// Bytes that one request allocates in a method and in the JDK methods that it calls.
    public record Allocates(String method, double beforeBytes, double afterBytes) {}

    /// Returns the same result. Changes that begin today get the id of today's stored result.
    Guarded dated(Entry today) {
        return new Guarded(
                plan,
                verdict,
                mode,
                figures.stream().map(f -> f.dated(today)).toList(),
                bottleneck,
                movedFrom,
                grew,
                allocates,
                days,
                confirmed,
                measurements,
                machine,
                partial,
                seconds,
                notes);
    }

    /// Returns the result of a run that was stopped before any judgement.
    static Guarded interrupted(String plan, Mode mode, double seconds) {
        return undecided(plan, mode, List.of(), seconds, List.of());
    }

    /// Returns the result of a comparison that the budget ended before any judgement.
    ///
    /// @param figures figures so far, all of them unclear
    static Guarded outOfTime(
            String plan, List<FigureRow> figures, double seconds, List<Note> notes) {
        return undecided(plan, Mode.REFERENCE, figures, seconds, notes);
    }

    private static Guarded undecided(
            String plan, Mode mode, List<FigureRow> figures, double seconds, List<Note> notes) {
        return new Guarded(
                plan,
                Overall.UNCLEAR,
                mode,
                figures,
                Optional.empty(),
                Optional.empty(),
                List.of(),
                List.of(),
                0,
                false,
                List.of(),
                Optional.empty(),
                true,
                seconds,
                notes);
    }
}
