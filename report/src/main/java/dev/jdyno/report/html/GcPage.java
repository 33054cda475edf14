package dev.jdyno.report.html;

import dev.jdyno.gclog.GcDiagnosis;
import dev.jdyno.gclog.event.PauseKind;
import dev.jdyno.gclog.event.PhaseTotal;
import dev.jdyno.gclog.event.Trouble;
import dev.jdyno.gclog.rules.Diagnoses;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.gclog.sums.Distribution;
import dev.jdyno.report.words.Figures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/// The data of a GC log's page: the analysis, and its parts in the order and form of the page.
///
/// @param diagnoses problems that the rules found
/// @param qps requests per second that the JVM served, to compute the bytes per request (request
///   memory, F7)
public record GcPage(
        Analysis analysis, List<GcDiagnosis> diagnoses, OptionalDouble qps, String version)
        implements HtmlPage {
    /// Maximum number of rows of a table; the rows that are left out are counted below it.
    private static final int MAX_ROWS = 15;

    /// The pauses of one kind.
    public record Kind(String name, Distribution pauses) {}

    /// One kind of problem during collections.
    public record Wrong(String name, long count, double totalMs, List<Long> lines) {}

    /// The rows of a table that are shown, and the number of hidden ones.
    public record Rows<T>(List<T> shown, int hidden) {
        static <T> Rows<T> of(List<T> all) {
            return new Rows<>(
                    all.subList(0, Math.min(MAX_ROWS, all.size())),
                    Math.max(0, all.size() - MAX_ROWS));
        }
    }

    public GcPage {
        diagnoses = List.copyOf(diagnoses);
    }

    /// True if too little of the log was understood to judge it.
    public boolean withheld() {
        return Diagnoses.isWithheld(analysis);
    }

    /// The diagnoses, the most severe first.
    public List<GcDiagnosis> worstFirst() {
        return diagnoses.stream()
                .sorted(Comparator.comparing(GcDiagnosis::severity).reversed())
                .toList();
    }

    /// All pauses first, then each kind that occurred.
    public List<Kind> kinds() {
        List<Kind> kinds = new ArrayList<>();
        kinds.add(new Kind("all pauses", analysis.pauses()));
        for (PauseKind kind : PauseKind.values()) {
            Distribution d = analysis.pausesByKind().get(kind);
            if (d != null && d.count() > 0) {
                kinds.add(new Kind(words(kind.key()), d));
            }
        }
        return kinds;
    }

    public List<Wrong> troubles() {
        return Arrays.stream(Trouble.values())
                .filter(t -> analysis.trouble(t).any())
                .map(t -> {
                    var seen = analysis.trouble(t);
                    return new Wrong(words(t.key()), seen.count(), seen.totalMs(), seen.lines());
                })
                .toList();
    }

    public Rows<Analysis.CauseTotal> causes() {
        return Rows.of(analysis.causes());
    }

    public Rows<PhaseTotal> phases() {
        return Rows.of(analysis.phases());
    }

    public Rows<Analysis.SafepointTotal> safepoints() {
        return Rows.of(analysis.safepoints());
    }

    public Chart heap() {
        return GcCharts.heap(analysis.collections(), true);
    }

    public Chart pauses() {
        return GcCharts.pauses(analysis.collections(), true);
    }

    /// The charts over the log's time that have data, except heap and pauses.
    public List<Figure> overTime() {
        return Stream.of(
                        new Figure(
                                "rates",
                                "Allocation and promotion",
                                "Bytes allocated and promoted a second over time",
                                GcTimeCharts.rates(analysis)),
                        new Figure(
                                "stopped",
                                "Pauses of the application",
                                "Share of time in GC pauses, other safepoints and waiting for memory",
                                GcTimeCharts.stopped(analysis)),
                        new Figure(
                                "phases",
                                "Phases of pauses",
                                "Time in the phases that take longest, stacked, over time",
                                GcTimeCharts.phases(analysis)),
                        new Figure(
                                "beside",
                                "Work beside the application",
                                "Time in the concurrent phases that take longest, stacked, over time",
                                GcTimeCharts.beside(analysis)),
                        new Figure(
                                "ages-over-time",
                                "Ages in the survivor space",
                                "Mean bytes of each age, stacked, over time",
                                GcTimeCharts.ages(analysis)))
                .filter(f -> !f.chart().series().isEmpty())
                .toList();
    }

    /// The pauses by their length.
    public PauseBinsPage bins() {
        return new PauseBinsPage(analysis.pauseBins());
    }

    public Optional<Double> requestBytes() {
        return qps.isPresent() && qps.getAsDouble() > 0
                ? analysis.allocBytesPerS().map(rate -> rate / qps.getAsDouble())
                : Optional.empty();
    }

    /// Share of the log's span in which the application was stopped: pauses and other safepoints.
    public Optional<Double> stoppedShare() {
        var s = analysis.stopped();
        return analysis.spanS() <= 0
                ? Optional.empty()
                : Optional.of((s.gcMs() + s.otherMs()) / 1000 / analysis.spanS());
    }

    public String figure(double v) {
        return Figures.number(v);
    }

    /// A figure in a readable unit: `1.2 GiB` for 1 288 490 189 `B`, `6m 43s` for 403 282 `ms`.
    public String figure(double v, String unit) {
        return switch (unit) {
            case "B" -> bytes(v);
            case "B/s" -> Figures.bytesPerSecond(v);
            case "ms" -> v >= LONG_MS ? Figures.time(v) : Figures.number(v) + " ms";
            case "" -> Figures.number(v);
            default -> Figures.number(v) + " " + unit;
        };
    }

    /// Minimum ms that are shown in seconds and minutes.
    private static final double LONG_MS = 10_000;

    /// The time that the log covers.
    public String span() {
        return Figures.time(analysis.spanS() * 1000);
    }

    /// The worst windows that are no longer than the log.
    public List<Analysis.WorstWindow> worst() {
        return analysis.stopped().worst().stream()
                .filter(w -> w.seconds() <= analysis.spanS())
                .toList();
    }

    public String cause(Analysis.CauseTotal c) {
        return c.cause().isEmpty() ? "not in the log" : c.cause();
    }

    public String fixed(double v, int decimals) {
        return String.format(Locale.ROOT, "%." + decimals + "f", v);
    }

    public String bytes(Optional<Double> v) {
        return v.map(Figures::bytes).orElse("–");
    }

    public String bytes(double v) {
        return Figures.bytes(v);
    }

    public String rate(Optional<Double> v) {
        return v.map(Figures::bytesPerSecond).orElse("–");
    }

    /// Line numbers of the log: `12, 99`.
    public String lines(List<Long> lines) {
        return String.join(", ", lines.stream().map(String::valueOf).toList());
    }

    /// A key as words: `concurrentModeFailure` → `concurrent mode failure`.
    public String words(String key) {
        return key.replaceAll("(\\p{Lu})", " $1").toLowerCase(Locale.ROOT);
    }
}
