package dev.jdyno.report.terminal;

import dev.jdyno.gclog.GcDiagnosis;
import dev.jdyno.gclog.LiveTally;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.gclog.sums.Distribution;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.report.words.Figures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/// The analysis of a GC log on one screen of a terminal.
public final class GcText {
    private GcText() {}

    /// @param qps requests per second that the log's JVM served
    /// @param diagnoses problems that were found, the worst first
    /// @param withheld true if too little of the log was understood to diagnose
    public static List<String> lines(
            Analysis a, OptionalDouble qps, List<GcDiagnosis> diagnoses, boolean withheld) {
        List<String> out = new ArrayList<>();
        out.add(a.source());
        out.add(row("collector", name(a)));
        out.add(row("log", logLine(a)));
        a.incomplete().forEach(i -> out.add("warning: " + i.says()));
        out.add(row("events", events(a)));
        Distribution p = a.pauses();
        out.add(
                row(
                        "pauses",
                        p.count() == 0
                                ? "none"
                                : String.format(
                                        Locale.ROOT,
                                        "%d, %s in all; p50 %s  p95 %s  p99 %s  max %s (line %d)",
                                        p.count(),
                                        Figures.time(p.total()),
                                        Figures.time(p.p50()),
                                        Figures.time(p.p95()),
                                        Figures.time(p.p99()),
                                        Figures.time(p.max()),
                                        p.maxLine())));
        out.add(row("stopped", stopped(a)));
        out.add(row("worst", worst(a)));
        out.add(row("heap", heap(a)));
        out.add(
                row(
                        "allocation",
                        rate(a.allocBytesPerS())
                                + a.promotedBytesPerS()
                                        .map(r -> ", promoted " + rate(Optional.of(r)))
                                        .orElse("")
                                + (qps.isPresent()
                                        ? a.allocBytesPerS()
                                                .map(r ->
                                                        ", "
                                                                + bytes(r / qps.getAsDouble())
                                                                + " a request")
                                                .orElse("")
                                        : "")));
        if (a.ages().collections() > 0) {
            out.add(row("survivors", survivors(a)));
        }
        diagnoses(out, a, diagnoses, withheld);
        return out;
    }

    /// Maximum number of diagnoses shown in full; the others are only named.
    private static final int SHOWN = 4;

    private static void diagnoses(
            List<String> out, Analysis a, List<GcDiagnosis> diagnoses, boolean withheld) {
        if (withheld) {
            out.add("no diagnosis: too many lines were not understood, the first ones are");
            a.lines().firstUnread().forEach(u -> out.add("  line " + u.line() + ": " + u.text()));
            return;
        }
        if (diagnoses.isEmpty()) {
            out.add(
                    a.hasCollections()
                            ? "nothing wrong found"
                            : "no collection in this log: it says nothing of the collector");
            return;
        }
        Set<String> predictions = new HashSet<>();
        for (GcDiagnosis d : diagnoses.subList(0, Math.min(SHOWN, diagnoses.size()))) {
            List<Long> at =
                    d.evidence().stream().flatMap(e -> e.lines().stream()).limit(3).toList();
            out.add(
                    d.severity().key()
                            + " "
                            + d.id()
                            + ": "
                            + d.says()
                            + (at.isEmpty() ? "" : " (line " + join(at) + ")"));
            if (!d.advice().isEmpty()) {
                out.add("    " + foremost(d.advice()));
            }
            // Several diagnoses may recommend the same heap.
            d.predicted()
                    .filter(predictions::add)
                    .ifPresent(words -> out.add("    predicted: " + words));
        }
        if (diagnoses.size() > SHOWN) {
            out.add(
                    "further: "
                            + String.join(
                                    ", ",
                                    diagnoses.subList(SHOWN, diagnoses.size()).stream()
                                            .map(GcDiagnosis::id)
                                            .toList())
                            + " (--json has all of it)");
        }
    }

    /// The first recommendation that names a flag; the first one if none does.
    private static String foremost(List<String> advice) {
        return advice.stream()
                .filter(text -> text.startsWith("-X"))
                .findFirst()
                .orElse(advice.getFirst());
    }

    private static String join(List<Long> lines) {
        return String.join(", ", lines.stream().map(String::valueOf).toList());
    }

    private static String name(Analysis a) {
        return a.collector().key()
                + (a.generational() ? " (generational)" : "")
                + a.setup().jdk().map(v -> ", JDK " + v).orElse("")
                + (a.setup().cpus().isPresent()
                        ? ", " + a.setup().cpus().getAsInt() + " CPUs"
                        : "");
    }

    private static String logLine(Analysis a) {
        Analysis.Lines l = a.lines();
        String text =
                String.format(
                        Locale.ROOT,
                        "%s, %d lines, %d not understood",
                        span(a.spanS()),
                        l.total(),
                        l.unread());
        if (l.foreign() > 0) {
            text += String.format(Locale.ROOT, " (%d not of a GC log)", l.foreign());
        }
        return text
                + (a.restarts() > 0
                        ? String.format(Locale.ROOT, ", %d JVM starts", a.restarts() + 1)
                        : "");
    }

    private static String span(double seconds) {
        return seconds <= 0 ? "no time stamps" : Durations.format(Durations.ofSeconds(seconds));
    }

    private static String events(Analysis a) {
        List<String> parts = new ArrayList<>();
        for (String key :
                new String[] {
                    "young",
                    "mixed",
                    "full",
                    "initialMark",
                    "remark",
                    "cleanup",
                    "concurrent",
                    "degenerated"
                }) {
            if (a.count(key) > 0) {
                parts.add(a.count(key) + " " + key);
            }
        }
        return parts.isEmpty() ? "none" : String.join(", ", parts);
    }

    private static String stopped(Analysis a) {
        Analysis.Stopped s = a.stopped();
        List<String> parts = new ArrayList<>();
        parts.add("GC " + share(s.gcMs(), a));
        parts.add(
                s.safepointsLogged()
                        ? "other safepoints " + share(s.otherMs(), a)
                        : "other safepoints not logged");
        if (a.stalls().count() > 0) {
            parts.add(
                    String.format(
                            Locale.ROOT,
                            "%d allocation stalls, %s of thread time",
                            a.stalls().count(),
                            Figures.time(a.stalls().totalMs())));
        }
        return String.join("; ", parts);
    }

    private static String share(double ms, Analysis a) {
        return Figures.time(ms)
                + (a.spanS() > 0 ? String.format(Locale.ROOT, " (%.2f %%)", a.spanPct(ms)) : "");
    }

    private static String worst(Analysis a) {
        List<String> parts = new ArrayList<>();
        for (Analysis.WorstWindow w : a.stopped().worst()) {
            if (a.spanS() >= w.seconds()) {
                parts.add(
                        String.format(
                                Locale.ROOT,
                                "%.0f %% of %s",
                                w.stoppedPct(),
                                Durations.format(
                                        Duration.ofMillis(Math.round(w.seconds() * 1e3)))));
            }
        }
        return parts.isEmpty() ? "log too short" : "stood still " + String.join(", ", parts);
    }

    private static String heap(Analysis a) {
        Analysis.Heap h = a.heap();
        return "max "
                + h.maxBytes().map(GcText::bytes).orElse("not in the log")
                + ", highest "
                + bytes((double) h.highestBytes())
                + h.liveBytes()
                        .map(b -> (h.liveIsUpperBound() ? ", live at most " : ", live ") + bytes(b))
                        .orElse("");
    }

    private static String survivors(Analysis a) {
        Analysis.Ages g = a.ages();
        return String.format(
                Locale.ROOT,
                "desired %s, threshold below %d in %d of %d collections",
                bytes(g.desiredBytes()),
                g.maxThreshold(),
                g.lowered().count(),
                g.collections());
    }

    private static String rate(Optional<Double> bytesPerS) {
        return bytesPerS.map(r -> bytes(r) + "/s").orElse("not in the log");
    }

    static String bytes(double bytes) {
        return new Bytes(Math.max(0, Math.round(bytes))).toString();
    }

    private static String row(String name, String text) {
        return String.format(Locale.ROOT, "  %-11s %s", name, text);
    }

    /// The new events of a log that is followed, in one line.
    public static String line(LiveTally.Since s) {
        var line =
                new StringBuilder(
                        String.format(
                                Locale.ROOT,
                                "%.1fs: %d pauses, %s, longest %s",
                                s.atS(),
                                s.pauses(),
                                Figures.time(s.totalMs()),
                                Figures.time(s.longestMs())));
        s.stoppedPct().ifPresent(pct -> line.append(String.format(Locale.ROOT, " (%.2f %%)", pct)));
        count(line, s.full(), "full");
        count(line, s.cycles(), "concurrent");
        count(line, s.stalls(), "stalls");
        if (s.otherMs() > 0) {
            line.append("; other safepoints ").append(Figures.time(s.otherMs()));
        }
        s.heap()
                .ifPresent(o ->
                        line.append("; heap ")
                                .append(bytes((double) o.beforeBytes()))
                                .append(" -> ")
                                .append(bytes((double) o.afterBytes())));
        return line.toString();
    }

    private static void count(StringBuilder line, long count, String what) {
        if (count > 0) {
            line.append(", ").append(count).append(' ').append(what);
        }
    }
}
