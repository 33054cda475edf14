package dev.jdyno.plan;

import dev.jdyno.measure.load.Workload;
import dev.jdyno.measure.load.Workload.Check;
import dev.jdyno.measure.load.Workload.Journey;
import dev.jdyno.measure.load.Workload.Poll;
import dev.jdyno.measure.load.Workload.Step;
import dev.jdyno.measure.load.Workload.Take;
import dev.jdyno.measure.text.Secrets;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/// Writes a workload as the YAML under the key `workload` of a plan; it names files without
/// including them. {@link WorkloadFile} reads it back as the same workload, except for secrets,
/// which are masked.
final class WorkloadText {
    private final PlanPen pen;

    private WorkloadText(PlanPen pen) {
        this.pen = pen;
    }

    static void write(Workload workload, PlanPen pen) {
        new WorkloadText(pen).write(workload);
    }

    private void write(Workload workload) {
        if (workload.replay().isPresent()) {
            var replay = workload.replay().get();
            pen.line(
                    "  replay",
                    flow(
                            List.of(
                                    "file: " + file("workload.replay.file", replay.file()),
                                    "speed: "
                                            + pen.scalar(
                                                    "workload.replay.speed",
                                                    replay.speed(),
                                                    BigDecimal.valueOf(replay.speed())
                                                            .toPlainString()))));
            return;
        }
        pen.raw("  journeys:\n");
        for (int i = 0; i < workload.journeys().size(); i++) {
            journey("workload.journeys[" + i + "]", workload.journeys().get(i));
        }
        workload.data()
                .file()
                .ifPresent(f ->
                        pen.line(
                                "  data",
                                flow(
                                        List.of(
                                                "file: " + file("workload.data.file", f),
                                                "order: "
                                                        + pen.scalar(
                                                                "workload.data.order",
                                                                workload.data().order(),
                                                                workload.data()
                                                                        .order()
                                                                        .name()
                                                                        .toLowerCase(
                                                                                Locale.ROOT))))));
    }

    private String file(String key, Path file) {
        return pen.scalar(key, file, pen.text("", file.toAbsolutePath()));
    }

    private static String flow(List<String> entries) {
        return "{" + String.join(", ", entries) + "}";
    }

    private String headers(String key, Map<String, String> headers) {
        return flow(
                headers.entrySet().stream()
                        .map(e ->
                                pen.text("", e.getKey())
                                        + ": "
                                        + pen.template(
                                                key + "." + e.getKey(),
                                                e.getValue(),
                                                text -> Secrets.value(e.getKey(), text)))
                        .toList());
    }

    private void journey(String key, Journey journey) {
        pen.line("    - name", pen.text(key + ".name", journey.name()));
        pen.line(
                "      weight",
                pen.scalar(
                        key + ".weight",
                        journey.weight(),
                        BigDecimal.valueOf(journey.weight()).toPlainString()));
        pen.raw("      steps:\n");
        for (int i = 0; i < journey.steps().size(); i++) {
            step(key + ".steps[" + i + "]", journey.steps().get(i));
        }
    }

    private void step(String key, Step step) {
        pen.line("        - name", pen.text(key + ".name", step.name()));
        pen.line("          path", pen.template(key + ".path", step.path(), Secrets::text));
        pen.line("          method", pen.text(key + ".method", step.method()));
        if (!step.headers().isEmpty()) {
            pen.line("          headers", headers(key + ".headers", step.headers()));
        }
        if (!step.body().isEmpty()) {
            pen.line("          body", pen.template(key + ".body", step.body(), Secrets::body));
        }
        if (!step.checks().isEmpty()) {
            pen.line("          check", checks(key + ".check", step.checks()));
        }
        if (!step.takes().isEmpty()) {
            pen.line(
                    "          take",
                    flow(step.takes().stream().map(t -> take(key + ".take", t)).toList()));
        }
        step.poll().ifPresent(p -> pen.line("          poll", poll(key + ".poll", p)));
    }

    private String poll(String key, Poll poll) {
        List<String> entries = new ArrayList<>();
        entries.add("path: " + pen.template(key + ".path", poll.path(), Secrets::text));
        entries.add("method: " + pen.text(key + ".method", poll.method()));
        entries.add("headers: " + headers(key + ".headers", poll.headers()));
        entries.add("body: " + pen.template(key + ".body", poll.body(), Secrets::body));
        entries.add("until: " + checks(key + ".until", poll.until()));
        entries.add("every: " + pen.time(key + ".every", poll.every()));
        entries.add("within: " + pen.time(key + ".within", poll.within()));
        return flow(entries);
    }

    private String checks(String key, List<Check> checks) {
        return checks.stream().map(c -> check(key, c)).collect(Collectors.joining(", ", "{", "}"));
    }

    private String check(String key, Check check) {
        return switch (check) {
            case Check.Status(int status) -> "status: " + pen.scalar(key + ".status", status);
            case Check.Contains(String t) -> "contains: " + pen.text(key + ".contains", t);
            case Check.JsonEquals(String pointer, String value) ->
                    "json: "
                            + pen.scalar(key + ".json", check, pen.text("", pointer + "=" + value));
            case Check.BodyAtLeast(long bytes) -> "bytes: " + pen.scalar(key + ".bytes", bytes);
            case Check.HeaderEquals(String name, String value) ->
                    "header: "
                            + pen.scalar(key + ".header", check, pen.text("", name + "=" + value));
        };
    }

    /// The position of a value in the reply is not secret, whatever its name.
    private String take(String key, Take take) {
        String how =
                switch (take) {
                    case Take.Header(_, String header) -> "header " + header;
                    case Take.Regex(_, var pattern) -> "regex " + pattern;
                    case Take.Json(_, String pointer) -> "json " + pointer;
                };
        return pen.text("", take.name()) + ": " + pen.text(key + "." + take.name(), how, t -> t);
    }
}
