package dev.jdyno.gclog;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Two logs side by side, before and after a change.
public final class GcComparison {
    /// One figure of both.
    ///
    /// @param ratio after / before; empty when it has no meaning
    public record Row(
            String name, Optional<Double> before, Optional<Double> after, Optional<Double> ratio) {}

    private GcComparison() {}

    public static List<Row> rows(Analysis a, Analysis b) {
        List<Row> rows = new ArrayList<>();
        rows.add(row("spanS", a.spanS(), b.spanS()));
        rows.add(row("pauses", (double) a.pauses().count(), (double) b.pauses().count()));
        rows.add(perHour("pausesPerS", a.pauses().count(), a, b.pauses().count(), b));
        rows.add(perHour("fullPerS", a.count("full"), a, b.count("full"), b));
        rows.add(row("pauseShare", share(a), share(b)));
        rows.add(row("pauseP50Ms", a.pauses().p50(), b.pauses().p50()));
        rows.add(row("pauseP99Ms", a.pauses().p99(), b.pauses().p99()));
        rows.add(row("pauseMaxMs", a.pauses().max(), b.pauses().max()));
        rows.add(row("otherSafepointsMs", a.stopped().otherMs(), b.stopped().otherMs()));
        rows.add(row("stallsMs", a.stopped().stallsMs(), b.stopped().stallsMs()));
        rows.add(row("allocBytesPerS", a.allocBytesPerS(), b.allocBytesPerS()));
        rows.add(row("promotedBytesPerS", a.promotedBytesPerS(), b.promotedBytesPerS()));
        rows.add(row("heapMaxBytes", a.heap().maxBytes(), b.heap().maxBytes()));
        rows.add(row("liveBytes", a.heap().liveBytes(), b.heap().liveBytes()));
        return rows;
    }

    private static Optional<Double> share(Analysis a) {
        return a.throughputPct().map(t -> 1 - t / 100);
    }

    private static Row perHour(String name, long countA, Analysis a, long countB, Analysis b) {
        return row(name, rate((double) countA, a), rate((double) countB, b));
    }

    private static Optional<Double> rate(double count, Analysis a) {
        return a.spanS() > 0 ? Optional.of(count / a.spanS()) : Optional.empty();
    }

    private static Row row(String name, double a, double b) {
        return row(name, Optional.of(a), Optional.of(b));
    }

    private static Row row(String name, Optional<Double> a, Optional<Double> b) {
        Optional<Double> ratio =
                a.isPresent() && b.isPresent() && a.get() > 0
                        ? Optional.of(b.get() / a.get())
                        : Optional.empty();
        return new Row(name, a, b, ratio);
    }

    /// As a table for a terminal.
    public static List<String> lines(Analysis a, Analysis b) {
        List<String> out = new ArrayList<>();
        out.add("before: " + a.source() + " (" + a.collector().key() + ")");
        out.add("after:  " + b.source() + " (" + b.collector().key() + ")");
        out.add(
                String.format(
                        Locale.ROOT, "  %-20s %14s %14s %9s", "", "before", "after", "ratio"));
        for (Row r : rows(a, b)) {
            out.add(
                    String.format(
                            Locale.ROOT,
                            "  %-20s %14s %14s %9s",
                            r.name(),
                            show(r.name(), r.before()),
                            show(r.name(), r.after()),
                            r.ratio().map(x -> String.format(Locale.ROOT, "%.3f", x)).orElse("-")));
        }
        return out;
    }

    private static String show(String name, Optional<Double> value) {
        if (value.isEmpty()) {
            return "-";
        }
        if (name.contains("ytes")) {
            return GcText.bytes(value.get());
        }
        return String.format(Locale.ROOT, value.get() >= 100 ? "%.0f" : "%.4g", value.get());
    }
}
