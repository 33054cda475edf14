package dev.jdyno.plan;

import static dev.jdyno.plan.PlanText.exact;
import static dev.jdyno.plan.PlanText.line;
import static dev.jdyno.plan.PlanText.quoted;

import dev.jdyno.measure.Workload;
import dev.jdyno.measure.Workload.Check;
import dev.jdyno.measure.Workload.Journey;
import dev.jdyno.measure.Workload.Poll;
import dev.jdyno.measure.Workload.Step;
import dev.jdyno.measure.Workload.Take;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/// A workload as the YAML under the key `workload` of a plan; files stay files. {@link
/// WorkloadFile} reads it back to the same workload.
final class WorkloadText {
    private WorkloadText() {}

    static String of(Workload workload) {
        var text = new StringBuilder();
        if (workload.replay().isPresent()) {
            var replay = workload.replay().get();
            line(
                    text,
                    "  replay",
                    flow(
                            List.of(
                                    "file: " + file(replay.file()),
                                    "speed: "
                                            + BigDecimal.valueOf(replay.speed()).toPlainString())));
            return text.toString();
        }
        text.append("  journeys:\n");
        workload.journeys().forEach(j -> journey(text, j));
        workload.data()
                .file()
                .ifPresent(f ->
                        line(
                                text,
                                "  data",
                                flow(
                                        List.of(
                                                "file: " + file(f),
                                                "order: "
                                                        + workload.data()
                                                                .order()
                                                                .name()
                                                                .toLowerCase(Locale.ROOT)))));
        return text.toString();
    }

    private static String file(Path file) {
        return quoted(file.toAbsolutePath().toString());
    }

    private static String flow(List<String> entries) {
        return "{" + String.join(", ", entries) + "}";
    }

    private static String flow(Map<String, String> entries) {
        return flow(
                entries.entrySet().stream()
                        .map(e -> quoted(e.getKey()) + ": " + quoted(e.getValue()))
                        .toList());
    }

    private static void journey(StringBuilder text, Journey journey) {
        line(text, "    - name", quoted(journey.name()));
        line(text, "      weight", BigDecimal.valueOf(journey.weight()).toPlainString());
        text.append("      steps:\n");
        journey.steps().forEach(s -> step(text, s));
    }

    private static void step(StringBuilder text, Step step) {
        line(text, "        - name", quoted(step.name()));
        line(text, "          path", quoted(step.path()));
        line(text, "          method", quoted(step.method()));
        if (!step.headers().isEmpty()) {
            line(text, "          headers", flow(step.headers()));
        }
        if (!step.body().isEmpty()) {
            line(text, "          body", quoted(step.body()));
        }
        if (!step.checks().isEmpty()) {
            line(text, "          check", checks(step.checks()));
        }
        if (!step.takes().isEmpty()) {
            line(
                    text,
                    "          take",
                    flow(step.takes().stream().map(WorkloadText::take).toList()));
        }
        step.poll().ifPresent(p -> line(text, "          poll", poll(p)));
    }

    private static String poll(Poll poll) {
        List<String> entries = new ArrayList<>();
        entries.add("path: " + quoted(poll.path()));
        entries.add("method: " + quoted(poll.method()));
        entries.add("headers: " + flow(poll.headers()));
        entries.add("body: " + quoted(poll.body()));
        entries.add("until: " + checks(poll.until()));
        entries.add("every: " + exact(poll.every()));
        entries.add("within: " + exact(poll.within()));
        return flow(entries);
    }

    private static String checks(List<Check> checks) {
        return checks.stream()
                .map(check ->
                        switch (check) {
                            case Check.Status(int status) -> "status: " + status;
                            case Check.Contains(String t) -> "contains: " + quoted(t);
                            case Check.JsonEquals(String pointer, String value) ->
                                    "json: " + quoted(pointer + "=" + value);
                            case Check.BodyAtLeast(long bytes) -> "bytes: " + bytes;
                            case Check.HeaderEquals(String name, String value) ->
                                    "header: " + quoted(name + "=" + value);
                        })
                .collect(Collectors.joining(", ", "{", "}"));
    }

    private static String take(Take take) {
        String how =
                switch (take) {
                    case Take.Header(_, String header) -> "header " + header;
                    case Take.Regex(_, var pattern) -> "regex " + pattern;
                    case Take.Json(_, String pointer) -> "json " + pointer;
                };
        return quoted(take.name()) + ": " + quoted(how);
    }
}
