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
/// @param figures guarded, the least noisy ones first
/// @param bottleneck what limits the service today; empty where it was stopped before that
/// @param movedFrom what did on the days before, where that changed
/// @param grew methods that cost a request more CPU time, the largest growth first
/// @param allocates methods that allocate more for a request, where allocation grew
/// @param days earlier ones that it was compared with
/// @param confirmed whether it was measured again because something looked worse
/// @param measurements of today, by history: one, or two where it was confirmed
/// @param machine speed of the machine today against the days before, as a ratio of times; empty
///   without earlier days
/// @param partial whether it was cut short
/// @param notes what the reader must know
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
    /// Fewer earlier days do not say how much a figure varies.
    public static final int LEAST_DAYS = 4;

    public Guarded {
        plan = Secrets.text(plan);
        figures = List.copyOf(figures);
        grew = List.copyOf(grew);
        allocates = List.copyOf(allocates);
        measurements = List.copyOf(measurements);
        notes = List.copyOf(notes);
    }

    /// Of all figures together.
    public enum Overall {
        OK("ok"),
        REGRESSION("regression"),
        UNCLEAR("unclear");

        private final String key;

        Overall(String key) {
            this.key = key;
        }

        /// As it stands in `guard --json`.
        public String key() {
            return key;
        }
    }

    /// What today is compared with.
    public enum Mode {
        /// A pinned build, in turns.
        REFERENCE("reference"),
        /// Earlier days.
        HISTORY("history");

        private final String key;

        Mode(String key) {
            this.key = key;
        }

        /// As it stands in `guard --json`.
        public String key() {
            return key;
        }
    }

    /// What was measured, without a judgement.
    ///
    /// @param machineNs CPU time of a step of the loop that is the same every day
    /// @param starts the figures of each start, means over its blocks
    public record Measurement(double machineNs, List<Map<Metric, Double>> starts) {
        public Measurement {
            starts = List.copyOf(starts);
        }
    }

    /// CPU time of one request in a method, with what it calls in the JDK.
    public record Grew(String method, double beforeMs, double afterMs) {
        public double byMs() {
            return afterMs - beforeMs;
        }
    }

    /// Bytes that one request allocates in a method, with what it calls in the JDK.
    public record Allocates(String method, double beforeBytes, double afterBytes) {}

    /// The same with the name of its stored result, where a change begins today.
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

    /// Of a run that was stopped before there was anything to say.
    static Guarded interrupted(String plan, Mode mode, double seconds) {
        return new Guarded(
                plan,
                Overall.UNCLEAR,
                mode,
                List.of(),
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
                List.of());
    }
}
