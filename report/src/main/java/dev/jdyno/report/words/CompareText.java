package dev.jdyno.report.words;

import dev.jdyno.compare.Compared;
import dev.jdyno.compare.Compared.Row;
import dev.jdyno.compare.Difference;
import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Outcome;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.thread.Cause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/// A comparison in words: the verdict in a sentence, and where the difference comes from.
public final class CompareText {
    /// Maximum number of lines that explain a difference.
    private static final int MAX_REASONS = 3;

    /// Minimum share of a request's response time from which a part's difference is named.
    private static final double MUCH_WAITED = 0.1;

    private CompareText() {}

    /// The verdict in a sentence: `B is better: throughput × 1.210 (95 % over all looks: 1.150 to
    /// 1.270).` A look is a judgement after one more start.
    public static String verdict(Compared c) {
        Optional<Row> primary = c.row(c.primary());
        String figure =
                primary.flatMap(Row::effect)
                        .map(e ->
                                c.primary().title()
                                        + " × "
                                        + ratio(e.ratio())
                                        + " ("
                                        + interval(c, primary.orElseThrow())
                                        + ")")
                        .orElse(c.primary().title() + " was not measured often enough");
        boolean byErrors =
                c.verdict() == Outcome.WORSE
                        && primary.filter(r -> r.outcome() == Outcome.WORSE).isEmpty();
        return switch (c.verdict()) {
                    case BETTER -> "B is better: " + figure;
                    case WORSE ->
                            byErrors
                                    ? "B is worse: more of its requests fail; " + figure
                                    : "B is worse: " + figure;
                    case EQUIVALENT ->
                            "B is as good as A: " + figure + ", within " + percent(c.minEffect());
                    case INCONCLUSIVE -> "Not decided: " + figure + decide(c);
                }
                + ".";
    }

    private static String decide(Compared c) {
        return c.secondsToDecide()
                .map(s -> "; about " + time(s) + " more would decide it")
                .orElse("");
    }

    /// The interval of a ratio: `95 %: 1.150 to 1.270`. For the primary figure, the text says that
    /// the interval is valid over all interim results.
    public static String interval(Compared c, Row row) {
        return row.effect()
                .map(e ->
                        (row.metric() == c.primary() ? "95 % over all looks: " : "95 %: ")
                                + ratio(e.interval().lo())
                                + " to "
                                + ratio(e.interval().hi()))
                .orElse("-");
    }

    /// A ratio with three decimals, because differences of a few tenths of a percent matter.
    public static String ratio(double ratio) {
        return String.format(Locale.ROOT, "%.3f", ratio);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.3g %%", share * 100);
    }

    /// A time in steps of 10 s, because estimates are no more exact: `2m 10s`.
    public static String time(double seconds) {
        return Durations.format(Duration.ofSeconds(Math.max(10, Math.round(seconds / 10) * 10)));
    }

    /// The progress of a comparison after a start. After the first one, it says if the budget is
    /// too short for the minimum number of starts.
    ///
    /// @param each seconds of a start
    /// @param max number of starts at the end, decided or not
    public static String progress(Compared soFar, double each, int max, Duration budget) {
        String starts =
                String.format(
                        Locale.ROOT,
                        "%d of at most %d starts, %s each",
                        soFar.starts(),
                        max,
                        time(each));
        boolean tooShort =
                soFar.restarted() && soFar.starts() == 1 && each * max > Durations.seconds(budget);
        return starts
                + soFar.row(soFar.primary())
                        .flatMap(Compared.Row::effect)
                        .map(e ->
                                String.format(
                                        Locale.ROOT,
                                        ": %s × %s (%s to %s)",
                                        soFar.primary().title(),
                                        ratio(e.ratio()),
                                        ratio(e.interval().lo()),
                                        ratio(e.interval().hi())))
                        .orElse("")
                + (tooShort
                        ? String.format(
                                Locale.ROOT,
                                "; a verdict needs %d starts, about %s in all: longer than the"
                                        + " budget of %s",
                                max,
                                time(each * max),
                                Durations.format(budget))
                        : "");
    }

    /// A line with the cost of a method per request, before and after.
    public static String grown(double before, double after, String method) {
        return String.format(
                Locale.ROOT,
                "  %8s -> %-8s  %s",
                Figures.number(before),
                Figures.number(after),
                method);
    }

    /// A figure with the unit and digits of its metric. If it is missing: `0` for errors, `-` for
    /// all others.
    public static String figure(Metric metric, OptionalDouble value) {
        if (value.isEmpty()) {
            return metric == Metric.ERRORS ? "0" : "-";
        }
        return switch (metric) {
            case ALLOCATION -> Figures.bytes(value.getAsDouble());
            case ERRORS -> Figures.percent(value.getAsDouble());
            default -> Figures.number(value.getAsDouble());
        };
    }

    /// The method of the comparison: starts, pairs, loads, time.
    public static String how(Compared c) {
        return String.format(
                Locale.ROOT,
                "%d %s, %d pairs of blocks%s; N=%d%s; %s",
                c.starts(),
                c.restarted()
                        ? c.starts() == 1 ? "start of each" : "starts of each"
                        : "looks at two running JVMs (how starts differ is not in the intervals)",
                c.pairs(),
                c.discarded() == 0 ? "" : ", " + c.discarded() + " blocks measured again",
                c.concurrency(),
                c.ratePerS() > 0 ? ", " + Figures.number(c.ratePerS()) + "/s at a fixed rate" : "",
                Figures.seconds(c.seconds()));
    }

    /// Explains the difference. The largest difference in figures, methods, settings and waits
    /// comes first, one each, then the next ones.
    public static List<String> where(Compared c) {
        List<List<String>> kinds =
                List.of(
                        figures(c),
                        c.difference().map(CompareText::methods).orElse(List.of()),
                        settings(c.factsA(), c.factsB()),
                        c.difference().map(CompareText::waits).orElse(List.of()));
        return IntStream.range(0, MAX_REASONS)
                .boxed()
                .flatMap(i -> kinds.stream().filter(k -> k.size() > i).map(k -> k.get(i)))
                .limit(MAX_REASONS)
                .toList();
    }

    private static List<String> figures(Compared c) {
        return c.rows().stream()
                .filter(r -> r.metric() != c.primary() && r.effect().isPresent())
                .filter(r ->
                        r.metric() == Metric.CPU
                                || r.metric() == Metric.ALLOCATION
                                || r.metric() == Metric.GC)
                .filter(r -> r.outcome() == Outcome.BETTER || r.outcome() == Outcome.WORSE)
                .sorted(
                        Comparator.comparingDouble(
                                r -> -Math.abs(Math.log(r.effect().orElseThrow().ratio()))))
                .map(r ->
                        r.metric().title()
                                + ": "
                                + figure(r.metric(), r.a())
                                + " -> "
                                + figure(r.metric(), r.b())
                                + unit(r.metric())
                                + ", × "
                                + ratio(r.effect().orElseThrow().ratio()))
                .toList();
    }

    private static List<String> methods(Difference d) {
        return d.methods().stream()
                .map(m ->
                        "CPU in "
                                + m.application()
                                + (m.frame().equals(m.application())
                                        ? ""
                                        : " (most in " + m.frame() + ")")
                                + ": "
                                + Figures.number(m.aMs())
                                + " -> "
                                + Figures.number(m.bMs())
                                + " ms a request, "
                                + by(m.byMs())
                                + " ms")
                .toList();
    }

    /// Parts of the breakdown, except CPU, whose difference is a large share of a request.
    private static List<String> waits(Difference d) {
        return d.breakdown().stream()
                .flatMap(b ->
                        b.parts().stream()
                                .filter(p -> p.cause().filter(k -> k == Cause.CPU).isEmpty())
                                .filter(p ->
                                        Math.abs(p.byMs())
                                                >= MUCH_WAITED * Math.max(b.aRtMs(), b.bRtMs())))
                .sorted(Comparator.comparingDouble(p -> -Math.abs(p.byMs())))
                .map(p ->
                        name(p)
                                + ": "
                                + Figures.number(p.aMs())
                                + " -> "
                                + Figures.number(p.bMs())
                                + " ms of a request")
                .toList();
    }

    public static String name(Difference.Part part) {
        return part.cause().map(Highlights::name).orElse("outside threads");
    }

    /// A difference in ms with its sign: `+0.52`, `-1.2`.
    public static String by(double ms) {
        return (ms >= 0 ? "+" : "-") + Figures.number(Math.abs(ms));
    }

    private static String unit(Metric metric) {
        return metric == Metric.ALLOCATION ? "" : " " + metric.unit();
    }

    /// Differences between the ways in which the JVMs were started.
    private static List<String> settings(Optional<TargetFacts> a, Optional<TargetFacts> b) {
        if (a.isEmpty() || b.isEmpty()) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        only("B", b.get(), a.get()).ifPresent(lines::add);
        only("A", a.get(), b.get()).ifPresent(lines::add);
        jdks(a.get(), b.get()).ifPresent(lines::add);
        return lines;
    }

    /// The JDKs of the two variants, if they differ.
    public static Optional<String> jdks(Compared c) {
        return c.factsA().flatMap(a -> c.factsB().flatMap(b -> jdks(a, b)));
    }

    private static Optional<String> jdks(TargetFacts a, TargetFacts b) {
        return a.jdkVersion().equals(b.jdkVersion())
                ? Optional.empty()
                : Optional.of(
                        "JDK: A "
                                + a.jdkVersion().orElse("unknown")
                                + ", B "
                                + b.jdkVersion().orElse("unknown"));
    }

    private static Optional<String> only(String name, TargetFacts of, TargetFacts beside) {
        List<String> flags = of.flags().stream().filter(f -> !beside.flags().contains(f)).toList();
        return flags.isEmpty()
                ? Optional.empty()
                : Optional.of("only " + name + " has " + String.join(" ", flags));
    }
}
