package dev.jdyno.report;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.DiagnoseResult;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.statistics.Throughput;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.thread.ThreadCounts;
import dev.jdyno.measure.thread.ThreadPlaces;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.report.json.JsonDocument;
import dev.jdyno.report.words.DiskText;
import dev.jdyno.report.words.EndpointText;
import dev.jdyno.report.words.FilesText;
import dev.jdyno.report.words.HeadroomText;
import dev.jdyno.report.words.LayerText;
import dev.jdyno.report.words.QueueText;
import dev.jdyno.report.words.RecommendationLines;
import dev.jdyno.report.words.RunnerUpText;
import dev.jdyno.report.words.ShortNames;
import dev.jdyno.report.words.TextLines;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// Renders the diagnosis of a JVM that was only observed, as one screen of text or as JSON.
public final class DiagnoseReport {
    private static final int EVIDENCE = 5;
    private static final int PLACES = 7;
    private static final int RUNNERS_UP = 3;
    private static final int MAX_RECOMMENDATIONS = 3;

    /// Maximum number of lines of one recommendation.
    private static final int RECOMMENDATION_LINES = 6;

    /// Maximum number of lines that explain how to apply the first recommendation.
    private static final int HOW_LINES = 4;

    private static final int BAR = 24;

    /// Minimum share of requests in flight without a known place. From this share on, they get a
    /// line of their own.
    private static final double NOWHERE = 0.05;

    private DiagnoseReport() {}

    public static String text(DiagnoseResult w) {
        List<String> lines = new ArrayList<>();
        TargetFacts target = w.recording().target();
        lines.add(
                say(
                        "%s  %s%s  %s %.0f s%s",
                        target.pid().map(p -> "PID " + p).orElse("From files"),
                        target.jvm().orElse("JVM"),
                        target.collector().map(c -> "  " + c).orElse(""),
                        w.files().isEmpty() ? "watched" : "recorded",
                        w.round().seconds(),
                        w.ended().isPresent()
                                ? " (until it ended)"
                                : w.recording().partial() ? " (interrupted)" : ""));
        lines.addAll(FilesText.lines(w.files()));
        var names = ShortNames.of(w.recording(), w.judged());
        figures(w, names, lines);
        w.recording().warnings().forEach(warning -> lines.add("note: " + warning.says()));
        target.missing().forEach(m -> lines.add("not seen: " + m));
        lines.add("");
        verdict(w, names, lines);
        w.headroom().ifPresent(h -> lines.addAll(HeadroomText.lines(h)));
        lines.add("");
        places(w, lines);
        w.recording().insight().service().stream()
                .map(EndpointText::lines)
                .filter(table -> !table.isEmpty())
                .forEach(table -> {
                    lines.add("");
                    lines.addAll(table);
                });
        List<String> layers = LayerText.lines(w.layers());
        if (!layers.isEmpty()) {
            lines.add("");
            lines.addAll(layers);
        }
        if (!w.recommendations().isEmpty()) {
            lines.add("");
            var form =
                    new RecommendationLines(
                            names,
                            TextLines.WIDTH,
                            MAX_RECOMMENDATIONS,
                            RECOMMENDATION_LINES,
                            HOW_LINES,
                            "more by --json");
            lines.addAll(form.of("Recommendations", w.recommendations(), w.recording().reported()));
        }
        return lines.stream().map(l -> Printable.line(l) + "\n").collect(Collectors.joining());
    }

    private static void figures(DiagnoseResult w, ShortNames names, List<String> lines) {
        var parts = new ArrayList<String>();
        w.round().cpu().map(DiagnoseReport::cpu).ifPresent(parts::add);
        w.round().gc().map(g -> gc(g, w.round().seconds())).ifPresent(parts::add);
        w.round().threads().map(ThreadCounts::live).ifPresent(n -> parts.add(n + " threads"));
        lines.add(String.join("   ", parts));
        lines.add(
                w.inFlight()
                                .map(n -> say("%.1f requests in flight", n))
                                .orElse("requests in flight: not known")
                        + w.throughput()
                                .map(x ->
                                        say(
                                                ", %.1f/s%s by %s",
                                                x.perS(),
                                                x.between()
                                                        .map(i ->
                                                                say(
                                                                        " (%.1f to %.1f)",
                                                                        i.lo(), i.hi()))
                                                        .orElse(""),
                                                x.source().says()))
                                .orElse("")
                        + w.rtMs()
                                .map(ms -> say(", mean RT %.1f ms by Little's law", ms))
                                .orElse("")
                        + w.census()
                                .filter(c -> c.dumps() > 0)
                                .map(c ->
                                        say(
                                                w.files().isEmpty()
                                                        ? "  (%d dumps, longest stop %.1f ms)"
                                                        : "  (%d dumps)",
                                                c.dumps(),
                                                c.longestPauseMs()))
                                .orElse("  (no thread dump)"));
        w.throughput().flatMap(DiagnoseReport::byTheContainer).ifPresent(lines::add);
        w.census()
                .flatMap(c -> QueueText.line(c, w.verdict().bottleneck()))
                .map(names::in)
                .ifPresent(lines::add);
        w.census().ifPresent(c -> lines.addAll(DiskText.lines(c.signals().disks())));
    }

    private static Optional<String> byTheContainer(Throughput x) {
        return x.containerRtMs()
                .map(ms ->
                        say(
                                "%s reports a mean RT of %.1f ms%s",
                                x.source().says(),
                                ms,
                                x.source() == Throughput.Source.TOMCAT
                                        ? " (each request cut to whole ms)"
                                        : ""));
    }

    private static String cpu(CpuUse c) {
        return say(
                "CPU %.2f/%.1f cores (%sothers %.2f%s)",
                c.processCores(),
                c.availableCores(),
                c.children().isEmpty() ? "" : say("of which children %.2f, ", c.childCores()),
                c.otherCores(),
                c.stealPct() >= 1 ? say(", steal %.0f %%", c.stealPct()) : "");
    }

    private static String gc(GcActivity g, double seconds) {
        return say(
                "GC %.1f young/s, %.2f full/s, stopped %.1f %%",
                g.young().count() / seconds, g.full().count() / seconds, g.pauseShare() * 100);
    }

    private static void verdict(DiagnoseResult w, ShortNames names, List<String> lines) {
        Verdict v = w.verdict();
        String name =
                v.bottleneck() == Bottleneck.LOAD
                        ? "none (load): nothing is saturated"
                                + w.headroom().flatMap(HeadroomText::times).orElse("")
                        : v.bottleneck().key()
                                + (v.where().isBlank() ? "" : " at " + names.place(v.where()));
        lines.add(say("Bottleneck: %s  (confidence %.2f)", name, v.confidence()));
        lines.add("  " + names.in(v.says()));
        v.evidence().stream().limit(EVIDENCE).forEach(e -> lines.add("  - " + names.in(e.says())));
        v.runnersUp().stream()
                .limit(RUNNERS_UP)
                .forEach(r -> lines.add(names.in(RunnerUpText.of(r))));
    }

    private static void places(DiagnoseResult w, List<String> lines) {
        w.census()
                .ifPresentOrElse(
                        c -> places(w, c, lines), () -> lines.add("Where requests are: unknown"));
    }

    private static void places(DiagnoseResult w, ThreadSamples seen, List<String> lines) {
        ThreadPlaces threadSamples = seen.requests();
        lines.add(
                w.rtMs().isPresent()
                        ? "Where requests are (mean number, ms of each request)"
                        : "Where requests are (mean number)");
        if (threadSamples.busy().isEmpty() && seen.waitingSockets() == 0) {
            lines.add(
                    seen.dumps() > 0
                            ? "  nowhere: no thread was in use in any dump"
                            : "  not seen: that takes thread dumps");
            return;
        }
        if (seen.waitingSockets() > 0) {
            lines.add(place(w, seen.waitingSockets(), "unread", "no thread has read them yet"));
        }
        threadSamples.busy().stream()
                .limit(PLACES)
                .forEach(b ->
                        lines.add(
                                place(
                                        w,
                                        b.threads(),
                                        b.cause().key(),
                                        b.where()
                                                + threadSamples
                                                        .likelyHolder(b)
                                                        .map(h ->
                                                                (b.async()
                                                                                ? ", through "
                                                                                : "; holder: ")
                                                                        + h.text())
                                                        .orElse(""))));
        if (threadSamples.busy().size() > PLACES) {
            lines.add("  (+" + (threadSamples.busy().size() - PLACES) + " more; --json has all)");
        }
        double inFlight = w.inFlight().orElse(0.0);
        double nowhere = inFlight - seen.requestsFound();
        if (nowhere > NOWHERE * inFlight) {
            lines.add(
                    place(
                            w,
                            nowhere,
                            "queued",
                            seen.dumps() > 0
                                    ? "no thread works on them, no call is open"
                                    : "inside, not seen where: that takes thread dumps"));
        }
    }

    private static String place(DiagnoseResult w, double threads, String cause, String where) {
        double share =
                w.inFlight().filter(n -> n > 0).map(n -> Math.min(1, threads / n)).orElse(0.0);
        String bar = "#".repeat((int) Math.round(share * BAR));
        String ms =
                w.throughputPerS()
                        .filter(x -> x > 0)
                        .map(x -> say("%8.1f ms", threads / x * 1000))
                        .orElse("");
        return say(
                        "%7.2f%s  %3.0f %%  %-" + BAR + "s %-10s %s",
                        threads,
                        ms,
                        share * 100,
                        bar,
                        cause,
                        where)
                .stripTrailing();
    }

    private static String say(String format, Object... args) {
        return String.format(Locale.ROOT, format, args);
    }

    /// Returns the JSON document `jdyno/diagnosis/1`.
    public static String json(DiagnoseResult w) {
        return JsonDocument.text(w) + "\n";
    }
}
