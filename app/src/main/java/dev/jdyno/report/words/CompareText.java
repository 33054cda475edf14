package dev.jdyno.report.words;

import dev.jdyno.compare.Compared;
import dev.jdyno.compare.Compared.Row;
import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Outcome;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.text.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/// A comparison in words: the verdict in a sentence, and where the difference comes from.
public final class CompareText {
    /// Lines of where a difference comes from.
    private static final int MOST_REASONS = 3;

    private CompareText() {}

    /// `B is better: throughput × 1.21 (95 %: 1.15 to 1.27).`
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

    /// `95 %: 1.15 to 1.27`; of the primary figure with what the looks so far have spent.
    public static String interval(Compared c, Row row) {
        return row.effect()
                .map(e ->
                        (row.metric() == c.primary() ? "95 % over all looks: " : "95 %: ")
                                + ratio(e.interval().lo())
                                + " to "
                                + ratio(e.interval().hi()))
                .orElse("-");
    }

    /// Three digits after the point: differences of a few per mille are asked for.
    public static String ratio(double ratio) {
        return String.format(Locale.ROOT, "%.3f", ratio);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.3g %%", share * 100);
    }

    /// `2m 10s`, in steps that an estimate can carry.
    public static String time(double seconds) {
        return Durations.format(Duration.ofSeconds(Math.max(10, Math.round(seconds / 10) * 10)));
    }

    /// A figure with as many digits as it carries.
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

    /// How it was done: starts, pairs, loads, time.
    public static String how(Compared c) {
        return String.format(
                Locale.ROOT,
                "%d %s, %d pairs of blocks%s; N=%d, %s/s at a fixed rate; %s",
                c.starts(),
                c.restarted()
                        ? c.starts() == 1 ? "start of each" : "starts of each"
                        : "looks at two running JVMs (how starts differ is not in the intervals)",
                c.pairs(),
                c.discarded() == 0 ? "" : ", " + c.discarded() + " blocks measured again",
                c.concurrency(),
                Figures.number(c.ratePerS()),
                Durations.format(Duration.ofSeconds(Math.round(c.seconds()))));
    }

    /// Where the difference comes from, the largest first.
    public static List<String> where(Compared c) {
        List<String> lines = new ArrayList<>();
        c.rows().stream()
                .filter(r -> r.metric() != c.primary() && r.effect().isPresent())
                .filter(r ->
                        r.metric() == Metric.CPU
                                || r.metric() == Metric.ALLOCATION
                                || r.metric() == Metric.GC)
                .filter(r -> r.outcome() == Outcome.BETTER || r.outcome() == Outcome.WORSE)
                .sorted(
                        Comparator.comparingDouble(
                                r -> -Math.abs(Math.log(r.effect().orElseThrow().ratio()))))
                .forEach(r ->
                        lines.add(
                                r.metric().title()
                                        + ": "
                                        + figure(r.metric(), r.a())
                                        + " -> "
                                        + figure(r.metric(), r.b())
                                        + unit(r.metric())
                                        + ", × "
                                        + ratio(r.effect().orElseThrow().ratio())));
        lines.addAll(settings(c.factsA(), c.factsB()));
        return lines.stream().limit(MOST_REASONS).toList();
    }

    private static String unit(Metric metric) {
        return metric == Metric.ALLOCATION ? "" : " " + metric.unit();
    }

    /// What differs in how the JVMs were started.
    private static List<String> settings(Optional<TargetFacts> a, Optional<TargetFacts> b) {
        if (a.isEmpty() || b.isEmpty()) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        only("B", b.get(), a.get()).ifPresent(lines::add);
        only("A", a.get(), b.get()).ifPresent(lines::add);
        if (!a.get().jdkVersion().equals(b.get().jdkVersion())) {
            lines.add(
                    "JDK: A "
                            + a.get().jdkVersion().orElse("unknown")
                            + ", B "
                            + b.get().jdkVersion().orElse("unknown"));
        }
        return lines;
    }

    private static Optional<String> only(String name, TargetFacts of, TargetFacts beside) {
        List<String> flags = of.flags().stream().filter(f -> !beside.flags().contains(f)).toList();
        return flags.isEmpty()
                ? Optional.empty()
                : Optional.of("only " + name + " has " + String.join(" ", flags));
    }
}
