package dev.jdyno.report.words;

import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.verdict.GoalKnee;
import dev.jdyno.measure.verdict.Knee;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// The knee, and the bracket of a search under goals, as lines of text.
///
/// @param bold makes a heading of a text
/// @param columns of each line
public record KneeLines(UnaryOperator<String> bold, int columns) {
    /// Maximum columns of a goal, so that the bracket fits on the same line.
    private static final int MAX_GOAL_COLUMNS = 33;

    /// The bracket of the goals; the knee of throughput stands below it.
    public List<String> goal(GoalKnee g) {
        if (g.holdsNowhere()) {
            return List.of(bold.apply("Goal") + "  " + cut(g.says()));
        }
        String goals = "Goal " + String.join(", ", g.goals());
        String heading = bold.apply(TextLines.cut(goals, MAX_GOAL_COLUMNS));
        if (g.isUntested()) {
            int columnsLeft = columns - MAX_GOAL_COLUMNS - 2;
            return List.of(heading + "  " + TextLines.cut(g.says(), columnsLeft));
        }
        List<String> lines = new ArrayList<>();
        lines.add(
                heading
                        + String.format(
                                Locale.ROOT,
                                "  good at %s, bad at %s, most likely %s/s",
                                rate(g.good()),
                                rate(g.bad()),
                                Figures.number(g.estimate())));
        lines.add(
                cut(
                        String.format(
                                Locale.ROOT,
                                "  %s knee by %s after %s s of load; JVM stops make %s of the misses; limit: %s",
                                g.hard() ? "hard" : "soft",
                                g.bindingGoal(),
                                Figures.number(g.loadSeconds()),
                                Figures.percent(g.pausesShare()),
                                g.limit())));
        if (!g.narrow().isBlank()) {
            lines.add(cut("  narrower by " + g.narrow()));
        }
        return lines;
    }

    private String cut(String line) {
        return TextLines.cut(line, columns);
    }

    private static String rate(Optional<Double> perSecond) {
        return perSecond.map(v -> Figures.number(v) + "/s").orElse("no rate tested");
    }

    /// The knee of the curve. The throughput and response time at the knee are left out, because
    /// the figures of the report are those of its operating point.
    ///
    /// @param max maximum lines for a sentence
    public List<String> knee(RunResult r, int max) {
        if (r.knee().isEmpty()) {
            return sentence("not found" + why(r), max);
        }
        Knee k = r.knee().get();
        if (!k.isDeterminable()) {
            return sentence(undetermined(r, k), max);
        }
        List<String> lines =
                sentence(
                        String.format(
                                Locale.ROOT,
                                "%s (95 %%: %s), after %s s of load",
                                Figures.inFlight(k.concurrency()),
                                Figures.range(k.ci95()),
                                Figures.number(k.loadSeconds())),
                        2);
        predicted(r, k).ifPresent(p -> lines.addAll(TextLines.wrap(p, "  ", 2, columns)));
        return lines;
    }

    /// A sentence after the heading `Knee`.
    private List<String> sentence(String says, int max) {
        List<String> lines = TextLines.wrap(says, "      ", max, columns);
        lines.set(0, bold.apply("Knee") + lines.getFirst().substring(4));
        return lines;
    }

    /// The interval of a knee that is not determinable, and the reason. The single value is left
    /// out, because readers would rely on it.
    private static String undetermined(RunResult r, Knee k) {
        return String.format(
                Locale.ROOT,
                "not determinable, N=%s (95 %%), after %s s of load%s",
                Figures.range(k.ci95()),
                Figures.number(k.loadSeconds()),
                why(r));
    }

    /// The reason why there is no determinable knee, after a colon, and the loads that would show
    /// it. Empty if the reason is unknown.
    public static String why(RunResult r) {
        return r.capacityNotes().knee().map(why -> ": " + why + lowerLoads(r)).orElse("");
    }

    /// The loads that would show the knee and that the run did not measure. If the command that
    /// checks the first recommendation measures loads, it includes these.
    private static String lowerLoads(RunResult r) {
        if (Commands.newLoads(r).isEmpty()) {
            return "";
        }
        List<Integer> added =
                r.recommendations().stream()
                        .findFirst()
                        .map(first -> Commands.of(first, r).addedLoads())
                        .orElse(List.of());
        return added.isEmpty()
                ? "; try --concurrency " + Commands.loads(r)
                : "; Check adds N="
                        + added.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /// The prediction of the knee (F1) and of the throughput at saturation (F2). Empty if CPU is
    /// not the limit, because the prediction covers CPU only.
    private static Optional<String> predicted(RunResult r, Knee k) {
        return k.predicted()
                .filter(Knee.Predicted::ofTheLimit)
                .map(p ->
                        Highlights.disturbedByOthers(r)
                                ? "predicted: not reliable, other processes use much of this machine's CPU"
                                : String.format(
                                        Locale.ROOT,
                                        "predicted: %s (%s) by F1, QPS at saturation %s by F2, measured"
                                                + " %s (%s)",
                                        Figures.inFlight(p.concurrency()),
                                        Figures.percentChange(p.concurrency() / k.concurrency()),
                                        Figures.number(p.qps()),
                                        Figures.number(k.qps()),
                                        Figures.percentChange(p.qps() / k.qps())));
    }
}
