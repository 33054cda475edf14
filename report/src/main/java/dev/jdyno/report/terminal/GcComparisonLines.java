package dev.jdyno.report.terminal;

import dev.jdyno.gclog.GcComparison;
import dev.jdyno.report.words.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Two GC logs side by side as a table.
public final class GcComparisonLines {
    private GcComparisonLines() {}

    public static List<String> of(GcComparison c) {
        List<String> out = new ArrayList<>();
        out.add("before: " + c.before().source() + " (" + c.before().collector().key() + ")");
        out.add("after:  " + c.after().source() + " (" + c.after().collector().key() + ")");
        c.incomplete().forEach(i -> out.add("warning: " + i.says()));
        out.add(line("", "before", "after", "ratio"));
        c.rows().forEach(r -> out.add(line(r)));
        named(out, "gone", c.gone());
        named(out, "still there", c.stayed());
        named(out, "new", c.came());
        if (c.gone().isEmpty() && c.stayed().isEmpty() && c.came().isEmpty()) {
            out.add("nothing wrong found in either");
        }
        return out;
    }

    private static void named(List<String> out, String what, List<String> ids) {
        if (!ids.isEmpty()) {
            out.add(what + ": " + String.join(", ", ids));
        }
    }

    private static String line(GcComparison.Row r) {
        return line(
                label(r.key()),
                r.before().map(v -> value(r.unit(), v)).orElse("-"),
                r.after().map(v -> value(r.unit(), v)).orElse("-"),
                r.ratio().map(x -> String.format(Locale.ROOT, "× %.3g", x)).orElse("-"));
    }

    private static String line(String name, String before, String after, String ratio) {
        return String.format(Locale.ROOT, "  %-20s %14s %14s %9s", name, before, after, ratio);
    }

    private static String label(String key) {
        return switch (key) {
            case "spanS" -> "time span of the log";
            case "pauses" -> "pauses";
            case "pausesPerS" -> "pauses an hour";
            case "fullPerS" -> "full GCs an hour";
            case "pauseShare" -> "time in pauses";
            case "pauseP50Ms" -> "pause p50";
            case "pauseP99Ms" -> "pause p99";
            case "pauseMaxMs" -> "pause max";
            case "otherSafepointsMs" -> "other safepoints";
            case "stallsMs" -> "allocation stalls";
            case "allocBytesPerS" -> "allocation rate";
            case "promotedBytesPerS" -> "promotion rate";
            case "heapMaxBytes" -> "heap max";
            case "liveBytes" -> "live set";
            default -> throw new IllegalArgumentException("no label for " + key);
        };
    }

    private static String value(GcComparison.Unit unit, double value) {
        return switch (unit) {
            case SECONDS -> Figures.time(value * 1e3);
            case COUNT -> String.format(Locale.ROOT, "%.0f", value);
            case PER_S -> perHour(value * 3600);
            case SHARE -> String.format(Locale.ROOT, "%.2f %%", value * 100);
            case MS -> Figures.time(value);
            case BYTES -> GcText.bytes(value);
            case BYTES_PER_S -> GcText.bytes(value) + "/s";
        };
    }

    private static String perHour(double rate) {
        return String.format(Locale.ROOT, rate >= 100 ? "%.0f" : "%.3g", rate);
    }
}
