package dev.jdyno.plan;

import dev.jdyno.measure.Durations;
import dev.jdyno.measure.Problems;
import dev.jdyno.measure.UserError;
import dev.jdyno.measure.Workload;
import dev.jdyno.measure.Workload.Check;
import dev.jdyno.measure.Workload.Journey;
import dev.jdyno.measure.Workload.Poll;
import dev.jdyno.measure.Workload.RowOrder;
import dev.jdyno.measure.Workload.Step;
import dev.jdyno.measure.Workload.Take;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/// Reads a workload from YAML; all mistakes of a file at once, each with line and key.
///
/// ```yaml
/// journeys:
///   - name: buy
///     weight: 3
///     steps:
///       - path: /login
///         method: POST
///         headers: {Content-Type: application/json}
///         body: '{"user": "${name}"}'
///         check: {status: 200, contains: token}
///         take: {token: json /token}     # or: header NAME, regex EXPRESSION
///       - path: /orders?token=${token}
///         check: {json: /state=open, bytes: 10}
///       - path: /jobs
///         method: POST
///         take: {job: json /id}
///         poll: {path: '/jobs/${job}', until: {json: /state=done}, every: 100ms, within: 30s}
/// data: {file: users.csv, order: unique}  # or sequential, random; .csv or .jsonl
/// ```
public final class WorkloadFile {
    private WorkloadFile() {}

    /// @throws UserError of kind usage when the file cannot be read or holds mistakes
    public static Workload read(Path file) {
        String text;
        try {
            text = Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot read the workload " + file,
                            e.getClass().getSimpleName() + ": " + e.getMessage(),
                            "give the path of a YAML file")
                    .causedBy(e);
        }
        Path folder = file.toAbsolutePath().getParent();
        return parse(file.toString(), folder == null ? Path.of("") : folder, text);
    }

    static Workload parse(String file, Path folder, String text) {
        var problems = new Problems();
        Optional<Node> root = compose(file, text);
        if (root.isEmpty()) {
            throw UserError.usage(
                    "the workload " + file + " is empty", "it holds no key", "write journeys: …");
        }
        YamlMap top = YamlMap.of(file, "", root.get(), problems);
        List<Journey> journeys = new ArrayList<>();
        for (YamlMap journey : top.maps("journeys")) {
            journey(journey).ifPresent(journeys::add);
        }
        if (journeys.isEmpty() && problems.isEmpty()) {
            top.problem("journeys", "missing or empty", "write at least one journey with a step");
        }
        Optional<YamlMap> data = top.map("data");
        List<Map<String, String>> rows = data.map(d -> rows(d, folder)).orElse(List.of());
        RowOrder order =
                data.flatMap(d ->
                                d.value("order", WorkloadFile::order, "sequential, random, unique"))
                        .orElse(RowOrder.SEQUENTIAL);
        data.ifPresent(YamlMap::close);
        top.close();
        problems.throwIfAny("the workload " + file);
        return new Workload(journeys, rows, order);
    }

    private static Optional<Node> compose(String file, String text) {
        try {
            return new Compose(LoadSettings.builder().setLabel(file).build()).composeString(text);
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(m -> m.getLine() + 1).orElse(1);
            throw UserError.usage(
                            "the workload " + file + " is not YAML",
                            file + ":" + line + ": " + e.getProblem(),
                            "mend that line (a missing quote, a tab, a wrong indent?)")
                    .causedBy(e);
        }
    }

    private static RowOrder order(String text) {
        return RowOrder.valueOf(text.toUpperCase(Locale.ROOT));
    }

    private static List<Map<String, String>> rows(YamlMap data, Path folder) {
        Optional<String> name = data.value("file", Function.identity(), "give a .csv or .jsonl");
        if (name.isEmpty()) {
            data.problem("file", "missing", "give a .csv or .jsonl file");
            return List.of();
        }
        try {
            return DataRows.read(folder.resolve(name.get()));
        } catch (IOException | IllegalArgumentException e) {
            data.problem("file", String.valueOf(e.getMessage()), "give a .csv or .jsonl file");
            return List.of();
        }
    }

    private static Optional<Journey> journey(YamlMap map) {
        String name = map.value("name", Function.identity(), "write a name").orElse("journey");
        double weight = map.value("weight", WorkloadFile::weight, "a number > 0").orElse(1.0);
        List<Step> steps = new ArrayList<>();
        for (YamlMap step : map.maps("steps")) {
            steps.add(step(name, step));
        }
        if (steps.isEmpty()) {
            map.problem("steps", "missing or empty", "write at least one step with a path");
        }
        map.close();
        return steps.isEmpty() ? Optional.empty() : Optional.of(new Journey(name, weight, steps));
    }

    private static double weight(String text) {
        double w = Double.parseDouble(text);
        if (!(w > 0) || Double.isInfinite(w)) {
            throw new IllegalArgumentException("'" + text + "' is not a number > 0");
        }
        return w;
    }

    private static Step step(String journey, YamlMap map) {
        Optional<String> path = map.value("path", WorkloadFile::path, "write /path?query");
        if (!map.has("path")) {
            map.problem("path", "missing", "write path: /path?query");
        }
        String body = map.value("body", Function.identity(), "write a text").orElse("");
        String method =
                map.value("method", Function.identity(), "write GET, POST, …")
                        .orElse(body.isEmpty() ? "GET" : "POST");
        String name =
                map.value("name", Function.identity(), "write a name")
                        .orElse(journey + " " + method + " " + path.orElse("?"));
        Map<String, String> headers = map.strings("headers");
        List<Check> checks = map.map("check").map(WorkloadFile::checks).orElse(List.of());
        List<Take> takes = takes(map);
        Optional<Poll> poll = map.map("poll").flatMap(WorkloadFile::poll);
        map.close();
        return new Step(name, method, path.orElse("/"), headers, body, checks, takes, poll);
    }

    /// Empty after a mistake, which is then among the problems.
    private static Optional<Poll> poll(YamlMap map) {
        Optional<String> path = map.value("path", WorkloadFile::path, "write /path?query");
        if (!map.has("path")) {
            map.problem("path", "missing", "write path: /path?query");
        }
        String body = map.value("body", Function.identity(), "write a text").orElse("");
        String method =
                map.value("method", Function.identity(), "write GET, POST, …")
                        .orElse(body.isEmpty() ? "GET" : "POST");
        Map<String, String> headers = map.strings("headers");
        List<Check> until = map.map("until").map(WorkloadFile::checks).orElse(List.of());
        if (until.isEmpty()) {
            map.problem("until", "no condition", "write until: {json: /state=done}, or status, …");
        }
        Duration every = map.value("every", Durations::parse, "e.g. 100ms").orElse(Poll.EVERY);
        Duration within = map.value("within", WorkloadFile::span, "e.g. 30s").orElse(Poll.WITHIN);
        map.close();
        return path.isEmpty() || until.isEmpty()
                ? Optional.empty()
                : Optional.of(new Poll(method, path.get(), headers, body, until, every, within));
    }

    private static Duration span(String text) {
        Duration span = Durations.parse(text);
        if (!span.isPositive()) {
            throw new IllegalArgumentException("'" + text + "' is not longer than 0");
        }
        return span;
    }

    private static String path(String text) {
        if (!text.startsWith("/") && !text.startsWith("${")) {
            throw new IllegalArgumentException("'" + text + "' does not start with /");
        }
        if (text.chars().anyMatch(c -> c <= ' ')) {
            throw new IllegalArgumentException("'" + text + "' contains a space");
        }
        return text;
    }

    private static List<Check> checks(YamlMap map) {
        List<Check> all = new ArrayList<>();
        map.value("status", Integer::parseInt, "a status such as 200")
                .ifPresent(s -> all.add(new Check.Status(s)));
        map.value("contains", Function.identity(), "a text")
                .ifPresent(t -> all.add(new Check.Contains(t)));
        map.value("json", WorkloadFile::jsonEquals, "POINTER=VALUE, e.g. /state=open")
                .ifPresent(all::add);
        map.value("bytes", Long::parseLong, "the least size of the body")
                .ifPresent(n -> all.add(new Check.BodyAtLeast(n)));
        map.value("header", WorkloadFile::headerEquals, "NAME=VALUE, e.g. x-state=done")
                .ifPresent(all::add);
        map.close();
        return all;
    }

    private static Check jsonEquals(String text) {
        int equals = text.indexOf('=');
        if (!text.startsWith("/") || equals < 1) {
            throw new IllegalArgumentException("'" + text + "' is not POINTER=VALUE");
        }
        return new Check.JsonEquals(text.substring(0, equals), text.substring(equals + 1));
    }

    private static Check headerEquals(String text) {
        int equals = text.indexOf('=');
        if (equals < 1) {
            throw new IllegalArgumentException("'" + text + "' is not NAME=VALUE");
        }
        return new Check.HeaderEquals(text.substring(0, equals), text.substring(equals + 1));
    }

    /// A condition as the command line has it: `status 200`, `contains TEXT`, `json
    /// /POINTER=VALUE`, `header NAME=VALUE` or `bytes N`.
    ///
    /// @throws IllegalArgumentException when it is none of these
    public static Check check(String text) {
        int space = text.indexOf(' ');
        String what = space < 0 ? "" : text.substring(space + 1).trim();
        if (what.isEmpty()) {
            throw new IllegalArgumentException("'" + text + "' does not say what to look for");
        }
        return switch (text.substring(0, space)) {
            case "status" -> new Check.Status(Integer.parseInt(what));
            case "contains" -> new Check.Contains(what);
            case "json" -> jsonEquals(what);
            case "header" -> headerEquals(what);
            case "bytes" -> new Check.BodyAtLeast(Long.parseLong(what));
            default -> throw new IllegalArgumentException("'" + text + "' is no condition");
        };
    }

    /// A value to take as the command line has it: `NAME=json /POINTER`, `NAME=header NAME` or
    /// `NAME=regex EXPRESSION`.
    ///
    /// @throws IllegalArgumentException when it is none of these
    public static Take takeFrom(String text) {
        int equals = text.indexOf('=');
        if (equals < 1) {
            throw new IllegalArgumentException("'" + text + "' is not NAME=HOW");
        }
        return take(text.substring(0, equals), text.substring(equals + 1));
    }

    private static List<Take> takes(YamlMap step) {
        List<Take> all = new ArrayList<>();
        step.strings("take")
                .forEach((name, how) -> {
                    try {
                        all.add(take(name, how));
                    } catch (IllegalArgumentException e) {
                        step.problem(
                                "take",
                                name + ": " + e.getMessage(),
                                "write header NAME, regex EXPRESSION or json /POINTER");
                    }
                });
        return all;
    }

    /// `json /token`, `header Location`, `regex id=(\d+)`
    private static Take take(String name, String how) {
        int space = how.indexOf(' ');
        String kind = space < 0 ? how : how.substring(0, space);
        String what = space < 0 ? "" : how.substring(space + 1).trim();
        if (what.isEmpty()) {
            throw new IllegalArgumentException("'" + how + "' does not say what to take");
        }
        return switch (kind) {
            case "header" -> new Take.Header(name, what);
            case "json" -> {
                if (!what.startsWith("/")) {
                    throw new IllegalArgumentException("a JSON pointer starts with /");
                }
                yield new Take.Json(name, what);
            }
            case "regex" -> {
                try {
                    yield new Take.Regex(name, Pattern.compile(what));
                } catch (PatternSyntaxException e) {
                    throw new IllegalArgumentException(e.getDescription(), e);
                }
            }
            default -> throw new IllegalArgumentException("'" + kind + "' is no way to take");
        };
    }
}
