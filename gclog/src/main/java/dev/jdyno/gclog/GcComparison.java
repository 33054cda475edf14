package dev.jdyno.gclog;

import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.load.Incomplete;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/// Compares two logs, before and after a change: their figures, and which diagnoses disappeared or
/// appeared.
///
/// @param gone diagnoses that only the log before the change has
/// @param stayed diagnoses of both logs
/// @param came diagnoses that only the log after the change has
public record GcComparison(
        Analysis before,
        Analysis after,
        List<Row> rows,
        List<String> gone,
        List<String> stayed,
        List<String> came) {
    /// Unit of a figure.
    public enum Unit {
        SECONDS("s"),
        COUNT("1"),
        PER_S("1/s"),
        SHARE("1"),
        MS("ms"),
        BYTES("B"),
        BYTES_PER_S("B/s");

        private final String key;

        Unit(String key) {
            this.key = key;
        }

        /// The unit's name: s, ms, B, B/s, 1/s, or 1 for a count or a share.
        public String key() {
            return key;
        }
    }

    /// A figure that is compared.
    private record Figure(String key, Unit unit, Function<Analysis, Optional<Double>> value) {}

    private static final List<Figure> FIGURES =
            List.of(
                    new Figure("spanS", Unit.SECONDS, a -> Optional.of(a.spanS())),
                    new Figure("pauses", Unit.COUNT, a -> Optional.of((double) a.pauses().count())),
                    new Figure("pausesPerS", Unit.PER_S, a -> rate(a.pauses().count(), a)),
                    new Figure("fullPerS", Unit.PER_S, a -> rate(a.count("full"), a)),
                    new Figure(
                            "pauseShare", Unit.SHARE, a -> a.throughputPct().map(t -> 1 - t / 100)),
                    new Figure("pauseP50Ms", Unit.MS, a -> pause(a, a.pauses().p50())),
                    new Figure("pauseP99Ms", Unit.MS, a -> pause(a, a.pauses().p99())),
                    new Figure("pauseMaxMs", Unit.MS, a -> pause(a, a.pauses().max())),
                    new Figure(
                            "otherSafepointsMs",
                            Unit.MS,
                            a ->
                                    a.stopped().safepointsLogged()
                                            ? Optional.of(a.stopped().otherMs())
                                            : Optional.empty()),
                    new Figure("stallsMs", Unit.MS, a -> Optional.of(a.stopped().stallsMs())),
                    new Figure("allocBytesPerS", Unit.BYTES_PER_S, Analysis::allocBytesPerS),
                    new Figure("promotedBytesPerS", Unit.BYTES_PER_S, Analysis::promotedBytesPerS),
                    new Figure("heapMaxBytes", Unit.BYTES, a -> a.heap().maxBytes()),
                    new Figure("liveBytes", Unit.BYTES, a -> a.heap().liveBytes()));

    private static Optional<Double> rate(long count, Analysis a) {
        return a.spanS() > 0 ? Optional.of(count / a.spanS()) : Optional.empty();
    }

    private static Optional<Double> pause(Analysis a, double ms) {
        return a.pauses().count() > 0 ? Optional.of(ms) : Optional.empty();
    }

    /// One figure of both logs.
    public static final class Row {
        private final Figure figure;
        private final Optional<Double> before;
        private final Optional<Double> after;

        private Row(Figure figure, Analysis a, Analysis b) {
            this.figure = figure;
            this.before = figure.value().apply(a);
            this.after = figure.value().apply(b);
        }

        /// The stable name, with a unit if the figure could have several.
        public String key() {
            return figure.key();
        }

        public Unit unit() {
            return figure.unit();
        }

        /// Empty if the log does not show the figure.
        public Optional<Double> before() {
            return before;
        }

        public Optional<Double> after() {
            return after;
        }

        /// After / before; empty if either is missing or the value before is not positive.
        public Optional<Double> ratio() {
            return before.isPresent() && after.isPresent() && before.get() > 0
                    ? Optional.of(after.get() / before.get())
                    : Optional.empty();
        }
    }

    /// @param wasWrong diagnoses of the log before the change, worst first
    /// @param isWrong diagnoses of the log after the change
    public static GcComparison of(
            Analysis before,
            List<GcDiagnosis> wasWrong,
            Analysis after,
            List<GcDiagnosis> isWrong) {
        Set<String> was = ids(wasWrong);
        Set<String> is = ids(isWrong);
        return new GcComparison(
                before,
                after,
                FIGURES.stream().map(f -> new Row(f, before, after)).toList(),
                was.stream().filter(id -> !is.contains(id)).toList(),
                is.stream().filter(was::contains).toList(),
                is.stream().filter(id -> !was.contains(id)).toList());
    }

    /// Files of both logs that were not read to their end.
    public List<Incomplete> incomplete() {
        return Stream.of(before, after).flatMap(a -> a.incomplete().stream()).toList();
    }

    private static Set<String> ids(List<GcDiagnosis> diagnoses) {
        var ids = new LinkedHashSet<String>();
        diagnoses.forEach(d -> ids.add(d.id()));
        return ids;
    }
}
