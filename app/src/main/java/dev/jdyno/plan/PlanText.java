package dev.jdyno.plan;

import dev.jdyno.measure.Durations;
import dev.jdyno.measure.Goal;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A plan as YAML, every default written out: the record of what was run. {@link PlanFile} reads it
/// back to the same plan.
public final class PlanText {
    private PlanText() {}

    public static String of(Plan plan) {
        var text = new StringBuilder();
        line(text, "name", quoted(plan.name()));
        line(text, "url", quoted(plan.url().toString()));
        if (plan.workload().isEmpty()) {
            line(text, "method", plan.method());
        }
        if (!plan.headers().isEmpty()) {
            text.append("headers:\n");
            plan.headers().forEach((k, v) -> line(text, "  " + quoted(k), quoted(v)));
        }
        plan.body().ifPresent(b -> line(text, "body", quoted(b)));
        switch (plan.target()) {
            case Plan.TargetPlan.Launch(String command) ->
                    line(text, "target", "{launch: " + quoted(command) + "}");
            case Plan.TargetPlan.Attach(long pid) -> line(text, "target", "{pid: " + pid + "}");
            case Plan.TargetPlan.None() -> text.append("# no target: only the client's side\n");
        }
        line(
                text,
                "warmup",
                String.format(
                        Locale.ROOT,
                        "{atLeast: %s, atMost: %s, concurrency: %d}",
                        exact(plan.warmup().atLeast()),
                        exact(plan.warmup().atMost()),
                        plan.warmup().concurrency()));
        line(
                text,
                "rounds",
                String.format(
                        Locale.ROOT,
                        "{length: %s, settle: %s, concurrency: %s, maxConcurrency: %d}",
                        exact(plan.rounds().length()),
                        exact(plan.rounds().settle()),
                        plan.rounds().concurrency(),
                        plan.rounds().maxConcurrency()));
        line(
                text,
                "evidence",
                String.format(
                        Locale.ROOT,
                        "{window: %s, dumps: %d}",
                        exact(plan.evidence().window()),
                        plan.evidence().dumps()));
        line(
                text,
                "limits",
                String.format(
                        Locale.ROOT,
                        "{errors: %s, start: %s, request: %s}",
                        plan.limits().errorShare(),
                        exact(plan.limits().startTimeout()),
                        exact(plan.limits().requestTimeout())));
        plan.workload().ifPresent(w -> text.append("workload:\n").append(WorkloadText.of(w)));
        plan.search().ifPresent(s -> line(text, "goal", "{" + String.join(", ", goal(s)) + "}"));
        line(
                text,
                "look",
                String.format(
                        Locale.ROOT,
                        "{profile: %s, liveCount: %s, stages: [%s]%s}",
                        plan.looking().profile(),
                        plan.looking().liveCount(),
                        String.join(
                                ", ",
                                plan.looking().stages().stream().map(PlanText::quoted).toList()),
                        plan.looking()
                                .frames()
                                .map(f -> ", frames: " + quoted(f.toString()))
                                .orElse("")));
        if (plan.proving().wanted()) {
            line(
                    text,
                    "prove",
                    plan.proving().relay().map(r -> "{relay: " + quoted(r) + "}").orElse("true"));
        }
        return text.toString();
    }

    private static List<String> goal(Plan.GoalSearch search) {
        List<String> keys = new ArrayList<>();
        keys.add(
                "keep: "
                        + quoted(
                                String.join(
                                        ",", search.goals().stream().map(Goal::name).toList())));
        search.budget().ifPresent(b -> keys.add("budget: " + exact(b)));
        keys.add("precision: " + search.precision());
        search.start().ifPresent(r -> keys.add("start: " + BigDecimal.valueOf(r).toPlainString()));
        return keys;
    }

    static void line(StringBuilder text, String key, String value) {
        text.append(key).append(": ").append(value).append('\n');
    }

    /// Exact, unlike {@link Durations#format}, which is for reading.
    static String exact(java.time.Duration d) {
        return d.toNanos() % 1_000_000 == 0 ? d.toMillis() + "ms" : d.toNanos() + "ns";
    }

    static String quoted(String text) {
        var quoted = new StringBuilder("\"");
        text.codePoints()
                .forEach(c -> {
                    switch (c) {
                        case '\\' -> quoted.append("\\\\");
                        case '"' -> quoted.append("\\\"");
                        case '\n' -> quoted.append("\\n");
                        case '\r' -> quoted.append("\\r");
                        case '\t' -> quoted.append("\\t");
                        default -> {
                            if (isPlain(c)) {
                                quoted.appendCodePoint(c);
                            } else {
                                quoted.append(String.format(Locale.ROOT, "\\u%04x", c));
                            }
                        }
                    }
                });
        return quoted.append('"').toString();
    }

    /// Whether YAML takes a character as it is, and not as the end of a line.
    private static boolean isPlain(int c) {
        return (c >= ' ' && c <= '~')
                || (c >= 0xa0
                        && c != 0x2028
                        && c != 0x2029
                        && c != 0xfeff
                        && (c < 0xd800 || (c > 0xdfff && c < 0xfffe) || c > 0xffff));
    }
}
