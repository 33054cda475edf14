package dev.jdyno.gclog;

import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.load.Incomplete;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/// Two logs side by side, before and after a change: their figures, and which diagnoses went and
/// came.
///
/// @param gone what was wrong before only
/// @param stayed what was wrong before and is after
/// @param came what is wrong after only
public record GcComparison(
        Analysis before,
        Analysis after,
        List<Row> rows,
        List<String> gone,
        List<String> stayed,
        List<String> came) {
    /// How a figure is written.
    private enum Unit {
        SECONDS("s") {
            @Override
            String show(double value) {
                return GcText.ms(value * 1e3);
            }
        },
        COUNT("1") {
            @Override
            String show(double value) {
                return String.format(Locale.ROOT, "%.0f", value);
            }
        },
        PER_S("1/s") {
            @Override
            String show(double value) {
                double perHour = value * 3600;
                return String.format(Locale.ROOT, perHour >= 100 ? "%.0f" : "%.3g", perHour);
            }
        },
        SHARE("1") {
            @Override
            String show(double value) {
                return String.format(Locale.ROOT, "%.2f %%", value * 100);
            }
        },
        MS("ms") {
            @Override
            String show(double value) {
                return GcText.ms(value);
            }
        },
        BYTES("B") {
            @Override
            String show(double value) {
                return GcText.bytes(value);
            }
        },
        BYTES_PER_S("B/s") {
            @Override
            String show(double value) {
                return GcText.bytes(value) + "/s";
            }
        };

        private final String key;

        Unit(String key) {
            this.key = key;
        }

        abstract String show(double value);
    }

    /// What is compared.
    private record Figure(
            String key, String label, Unit unit, Function<Analysis, Optional<Double>> value) {}

    private static final List<Figure> FIGURES =
            List.of(
                    new Figure(
                            "spanS",
                            "time span of the log",
                            Unit.SECONDS,
                            a -> Optional.of(a.spanS())),
                    new Figure(
                            "pauses",
                            "pauses",
                            Unit.COUNT,
                            a -> Optional.of((double) a.pauses().count())),
                    new Figure(
                            "pausesPerS",
                            "pauses an hour",
                            Unit.PER_S,
                            a -> rate(a.pauses().count(), a)),
                    new Figure(
                            "fullPerS",
                            "full GCs an hour",
                            Unit.PER_S,
                            a -> rate(a.count("full"), a)),
                    new Figure(
                            "pauseShare",
                            "time in pauses",
                            Unit.SHARE,
                            a -> a.throughputPct().map(t -> 1 - t / 100)),
                    new Figure("pauseP50Ms", "pause p50", Unit.MS, a -> pause(a, a.pauses().p50())),
                    new Figure("pauseP99Ms", "pause p99", Unit.MS, a -> pause(a, a.pauses().p99())),
                    new Figure("pauseMaxMs", "pause max", Unit.MS, a -> pause(a, a.pauses().max())),
                    new Figure(
                            "otherSafepointsMs",
                            "other safepoints",
                            Unit.MS,
                            a ->
                                    a.stopped().safepointsLogged()
                                            ? Optional.of(a.stopped().otherMs())
                                            : Optional.empty()),
                    new Figure(
                            "stallsMs",
                            "allocation stalls",
                            Unit.MS,
                            a -> Optional.of(a.stopped().stallsMs())),
                    new Figure(
                            "allocBytesPerS",
                            "allocation rate",
                            Unit.BYTES_PER_S,
                            Analysis::allocBytesPerS),
                    new Figure(
                            "promotedBytesPerS",
                            "promotion rate",
                            Unit.BYTES_PER_S,
                            Analysis::promotedBytesPerS),
                    new Figure("heapMaxBytes", "heap max", Unit.BYTES, a -> a.heap().maxBytes()),
                    new Figure("liveBytes", "live set", Unit.BYTES, a -> a.heap().liveBytes()));

    private static Optional<Double> rate(long count, Analysis a) {
        return a.spanS() > 0 ? Optional.of(count / a.spanS()) : Optional.empty();
    }

    private static Optional<Double> pause(Analysis a, double ms) {
        return a.pauses().count() > 0 ? Optional.of(ms) : Optional.empty();
    }

    /// One figure of both.
    public static final class Row {
        private final Figure figure;
        private final Optional<Double> before;
        private final Optional<Double> after;

        private Row(Figure figure, Analysis a, Analysis b) {
            this.figure = figure;
            this.before = figure.value().apply(a);
            this.after = figure.value().apply(b);
        }

        /// Its stable name, with its unit where one is measured in several.
        public String key() {
            return figure.key();
        }

        /// s, ms, B, B/s, 1/s, or 1 for a count or a share.
        public String unit() {
            return figure.unit().key;
        }

        /// Empty where the log does not say.
        public Optional<Double> before() {
            return before;
        }

        public Optional<Double> after() {
            return after;
        }

        /// After / before; empty when either is missing or nothing was there before.
        public Optional<Double> ratio() {
            return before.isPresent() && after.isPresent() && before.get() > 0
                    ? Optional.of(after.get() / before.get())
                    : Optional.empty();
        }

        private String line() {
            return GcComparison.line(
                    figure.label(),
                    before.map(figure.unit()::show).orElse("-"),
                    after.map(figure.unit()::show).orElse("-"),
                    ratio().map(x -> String.format(Locale.ROOT, "× %.3g", x)).orElse("-"));
        }
    }

    /// @param wasWrong what the rules say of the log before the change, worst first
    /// @param isWrong the same after it
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

    /// Files of both that were not read to their end.
    List<Incomplete> incomplete() {
        return Stream.of(before, after).flatMap(a -> a.incomplete().stream()).toList();
    }

    private static Set<String> ids(List<GcDiagnosis> diagnoses) {
        var ids = new LinkedHashSet<String>();
        diagnoses.forEach(d -> ids.add(d.id()));
        return ids;
    }

    /// As a table for a terminal.
    public List<String> lines() {
        List<String> out = new ArrayList<>();
        out.add("before: " + before.source() + " (" + before.collector().key() + ")");
        out.add("after:  " + after.source() + " (" + after.collector().key() + ")");
        incomplete().forEach(i -> out.add("warning: " + i.says()));
        out.add(line("", "before", "after", "ratio"));
        rows.forEach(r -> out.add(r.line()));
        named(out, "gone", gone);
        named(out, "still there", stayed);
        named(out, "new", came);
        if (gone.isEmpty() && stayed.isEmpty() && came.isEmpty()) {
            out.add("nothing wrong found in either");
        }
        return out;
    }

    private static void named(List<String> out, String what, List<String> ids) {
        if (!ids.isEmpty()) {
            out.add(what + ": " + String.join(", ", ids));
        }
    }

    private static String line(String name, String before, String after, String ratio) {
        return String.format(Locale.ROOT, "  %-20s %14s %14s %9s", name, before, after, ratio);
    }
}
