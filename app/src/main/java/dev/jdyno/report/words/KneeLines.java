package dev.jdyno.report.words;

import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.verdict.GoalKnee;
import dev.jdyno.measure.verdict.Knee;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// The knee, and the bracket under goals, as lines of text.
///
/// @param bold makes a heading of a text
public record KneeLines(UnaryOperator<String> bold) {
    /// Leaves room for the bracket on the same line.
    private static final int MOST_GOAL_COLUMNS = 33;

    private static final int MOST_SAYS_COLUMNS = TextLines.WIDTH - MOST_GOAL_COLUMNS - 2;

    /// The bracket under goals, above the knee of throughput.
    public List<String> goal(GoalKnee g) {
        if (g.holdsNowhere()) {
            return List.of(bold.apply("Goal") + "  " + TextLines.cut(g.says()));
        }
        if (g.isUntested()) {
            String goals = "Goal " + String.join(", ", g.goals());
            return List.of(
                    bold.apply(TextLines.cut(goals, MOST_GOAL_COLUMNS))
                            + "  "
                            + TextLines.cut(g.says(), MOST_SAYS_COLUMNS));
        }
        List<String> lines = new ArrayList<>();
        lines.add(
                bold.apply(TextLines.cut("Goal " + String.join(", ", g.goals()), MOST_GOAL_COLUMNS))
                        + String.format(
                                Locale.ROOT,
                                "  good at %s, bad at %s, most likely %s/s",
                                rate(g.good()),
                                rate(g.bad()),
                                Figures.number(g.estimate())));
        lines.add(
                TextLines.cut(
                        String.format(
                                Locale.ROOT,
                                "  %s knee by %s after %s s of load; JVM stops make %s of the misses; limit: %s",
                                g.hard() ? "hard" : "soft",
                                g.bindingGoal(),
                                Figures.number(g.loadSeconds()),
                                Figures.percent(g.pausesShare()),
                                g.limit())));
        if (!g.narrow().isBlank()) {
            lines.add(TextLines.cut("  narrower by " + g.narrow()));
        }
        return lines;
    }

    private static String rate(Optional<Double> perSecond) {
        return perSecond.map(v -> Figures.number(v) + "/s").orElse("no rate tested");
    }

    /// @param most lines that a sentence may take
    public List<String> knee(RunResult r, int most) {
        if (r.knee().isEmpty()) {
            List<String> lines =
                    TextLines.wrap("none found in these rounds" + why(r), "      ", most);
            lines.set(0, bold.apply("Knee") + lines.getFirst().substring(4));
            return lines;
        }
        Knee k = r.knee().get();
        List<String> lines = new ArrayList<>();
        if (!k.isDeterminable()) {
            lines.addAll(undetermined(r, k, most));
            return lines;
        }
        lines.add(
                bold.apply("Knee")
                        + String.format(
                                Locale.ROOT,
                                "  N=%s (95 %%: %s)  QPS %s  RT %s ms; QPS at saturation %s; after %s s of"
                                        + " load",
                                Figures.number(k.concurrency()),
                                Figures.range(k.ci95()),
                                Figures.number(k.qpsAtKnee()),
                                Figures.number(k.rtMs()),
                                Figures.number(k.qps()),
                                Figures.number(k.loadSeconds())));
        if (Highlights.crowded(r)) {
            lines.add("  predicted: not reliable, other processes use much of this machine's CPU");
            return lines;
        }
        k.predicted().ifPresent(p -> lines.add(predicted(p, k)));
        return lines;
    }

    /// A figure whose interval spans so much would be taken for one: the interval, and why.
    private List<String> undetermined(RunResult r, Knee k, int most) {
        String says =
                String.format(
                        Locale.ROOT,
                        "not determinable, N=%s (95 %%), QPS %s, after %s s of load%s",
                        Figures.range(k.ci95()),
                        Figures.number(k.qps()),
                        Figures.number(k.loadSeconds()),
                        why(r));
        List<String> lines = TextLines.wrap(says, "      ", most);
        lines.set(0, bold.apply("Knee") + lines.getFirst().substring(4));
        return lines;
    }

    /// Why there is no knee, or none that is determinable, after a colon; empty where that is not
    /// known.
    public static String why(RunResult r) {
        return r.capacityNotes().knee().map(why -> ": " + why).orElse("");
    }

    /// A prediction from CPU does not apply where something else limits.
    private static String predicted(Knee.Predicted p, Knee k) {
        return p.ofTheLimit()
                ? String.format(
                        Locale.ROOT,
                        "  predicted: N=%s (%s) by F1, QPS at saturation %s (%s) by F2",
                        Figures.number(p.concurrency()),
                        Figures.percentChange(p.concurrency() / k.concurrency()),
                        Figures.number(p.qps()),
                        Figures.percentChange(p.qps() / k.qps()))
                : String.format(
                        Locale.ROOT,
                        "  not predicted: CPU is not the limit. CPU alone would allow N=%s (F1) and QPS %s (F2)",
                        Figures.number(p.concurrency()),
                        Figures.number(p.qps()));
    }
}
