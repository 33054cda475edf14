package dev.jdyno.plan;

import dev.jdyno.measure.load.HttpWords;
import dev.jdyno.measure.load.Workload;
import dev.jdyno.measure.load.Workload.Check;
import dev.jdyno.measure.load.Workload.Data;
import dev.jdyno.measure.load.Workload.Journey;
import dev.jdyno.measure.load.Workload.Poll;
import dev.jdyno.measure.load.Workload.RowOrder;
import dev.jdyno.measure.load.Workload.Step;
import dev.jdyno.measure.load.Workload.Take;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.Secrets;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

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
///
/// or, instead of journeys and data, `replay: {file: access.log, speed: 2}`.
public final class WorkloadFile {
    private WorkloadFile() {}

    /// @throws dev.jdyno.measure.text.UserError of kind usage if the file cannot be read or has
    ///   mistakes
    ///
    /// @param environment values of `${NAME}` if the workload has no value of that name
    public static Workload read(Path file, Environment environment) {
        return read(file, Variables.of(environment));
    }

    static Workload read(Path file, Variables variables) {
        Path folder = file.toAbsolutePath().getParent();
        return parse(
                YamlFile.read("workload", file, "give the path of a YAML file"),
                folder == null ? Path.of("") : folder,
                variables);
    }

    static Workload parse(String file, Path folder, String text) {
        return parse(YamlFile.of("workload", file, text), folder, Variables.of(Environment.NONE));
    }

    private static Workload parse(YamlFile yaml, Path folder, Variables variables) {
        var problems = new Problems();
        Optional<Workload> workload =
                read(yaml.top(problems, variables, "write journeys: …"), folder, problems);
        problems.throwIfAny(yaml.what());
        return workload.orElseThrow();
    }

    /// The workload whose keys `top` has; empty after a mistake, which is added to the problems.
    ///
    /// @param folder of the files that it names
    static Optional<Workload> read(YamlMap top, Path folder, Problems problems) {
        Optional<YamlMap> log = top.map("replay");
        if (log.isPresent()) {
            for (String key : List.of("journeys", "data")) {
                if (top.has(key)) {
                    top.problem(key, "a replay has its own requests", "keep " + key + " or replay");
                    top.maps(key);
                }
            }
            top.close();
            return replay(log.get(), folder);
        }
        Optional<YamlMap> keys = top.map("data");
        Data data = keys.map(d -> data(d, folder)).orElse(Data.NONE);
        keys.ifPresent(YamlMap::close);
        Set<String> holes = new HashSet<>(top.namesUnder("take"));
        holes.add("user");
        data.rows().forEach(row -> holes.addAll(row.keySet()));
        int before = problems.list().size();
        List<Journey> journeys = new ArrayList<>();
        for (YamlMap journey : top.maps("journeys")) {
            journey(journey, holes).ifPresent(journeys::add);
        }
        if (journeys.isEmpty() && problems.list().size() == before) {
            top.problem(
                    "journeys",
                    "missing or empty",
                    "write at least one journey with a step, or replay: {file: access.log}");
        }
        top.close();
        return journeys.isEmpty() ? Optional.empty() : Optional.of(new Workload(journeys, data));
    }

    private static Data data(YamlMap map, Path folder) {
        Optional<Path> file = map.value("file", folder::resolve, "give a .csv or .jsonl file");
        List<Map<String, String>> rows = rows(map, file);
        RowOrder order =
                map.value("order", WorkloadFile::order, "sequential, random, unique")
                        .orElse(RowOrder.SEQUENTIAL);
        return new Data(rows, order, file);
    }

    private static Optional<Workload> replay(YamlMap map, Path folder) {
        Optional<Path> file = map.value("file", folder::resolve, "give an access log");
        if (!map.has("file")) {
            map.problem("file", "missing", "give an access log");
        }
        Optional<Double> speed = map.value("speed", WorkloadFile::speed, "write 2, or max");
        map.close();
        if (file.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(replay(file.get(), speed.orElse(1.0)));
        } catch (IOException | IllegalArgumentException e) {
            map.problem("file", reason(e), "give a log in the common or combined format");
            return Optional.empty();
        }
    }

    /// The requests of an access log as a workload.
    ///
    /// @param speed factor by which the requests are sent faster than in the log; infinite: at the
    ///   load's own pace
    /// @throws IllegalArgumentException if the file contains no request
    public static Workload replay(Path log, double speed) throws IOException {
        return AccessLog.workload(
                log, Double.isInfinite(speed) ? Optional.empty() : Optional.of(speed));
    }

    /// `2`: twice as fast as in the log; `max`: as fast as the load allows.
    ///
    /// @throws IllegalArgumentException if it is neither
    public static double speed(String text) {
        if (text.trim().equals("max")) {
            return Double.POSITIVE_INFINITY;
        }
        double speed = Double.parseDouble(text.trim().replaceFirst("x$", ""));
        if (!(speed > 0) || Double.isInfinite(speed)) {
            throw new IllegalArgumentException("'" + text + "' is no speed > 0");
        }
        return speed;
    }

    private static String reason(Exception e) {
        return e instanceof IOException ? e.toString() : String.valueOf(e.getMessage());
    }

    private static RowOrder order(String text) {
        return RowOrder.valueOf(text.toUpperCase(Locale.ROOT));
    }

    private static List<Map<String, String>> rows(YamlMap data, Optional<Path> file) {
        if (!data.has("file")) {
            data.problem("file", "missing", "give a .csv or .jsonl file");
        }
        if (file.isEmpty()) {
            return List.of();
        }
        try {
            return DataRows.read(file.get());
        } catch (IOException | IllegalArgumentException e) {
            data.problem("file", reason(e), "give a .csv or .jsonl file");
            return List.of();
        }
    }

    private static Optional<Journey> journey(YamlMap map, Set<String> holes) {
        String name = map.value("name", Function.identity(), "write a name").orElse("journey");
        double weight = map.value("weight", WorkloadFile::weight, "a number > 0").orElse(1.0);
        List<Step> steps = new ArrayList<>();
        for (YamlMap step : map.maps("steps")) {
            steps.add(step(name, step, holes));
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

    private static Step step(String journey, YamlMap map, Set<String> holes) {
        Optional<String> path =
                map.template("path", holes, WorkloadFile::path, "write /path?query");
        if (!map.has("path")) {
            map.problem("path", "missing", "write path: /path?query");
        }
        String body =
                map.template("body", holes, UnaryOperator.identity(), "write a text").orElse("");
        String method =
                map.value("method", HttpWords::method, "write GET, POST, …")
                        .orElse(body.isEmpty() ? "GET" : "POST");
        String name =
                map.value("name", Function.identity(), "write a name")
                        .orElseGet(() ->
                                journey + " " + method + " " + Secrets.text(map.asWritten("path")));
        Map<String, String> headers = HeaderKeys.named(map, map.templates("headers", holes));
        List<Check> checks = map.map("check").map(ReplyTerms::checks).orElse(List.of());
        List<Take> takes = ReplyTerms.takes(map);
        Optional<Poll> poll = map.map("poll").flatMap(p -> poll(p, holes));
        map.close();
        return new Step(name, method, path.orElse("/"), headers, body, checks, takes, poll);
    }

    /// Reads the polling of a step. Empty after a mistake, which is added to the problems.
    private static Optional<Poll> poll(YamlMap map, Set<String> holes) {
        Optional<String> path =
                map.template("path", holes, WorkloadFile::path, "write /path?query");
        if (!map.has("path")) {
            map.problem("path", "missing", "write path: /path?query");
        }
        String body =
                map.template("body", holes, UnaryOperator.identity(), "write a text").orElse("");
        String method =
                map.value("method", HttpWords::method, "write GET, POST, …")
                        .orElse(body.isEmpty() ? "GET" : "POST");
        Map<String, String> headers = HeaderKeys.named(map, map.templates("headers", holes));
        List<Check> until = map.map("until").map(ReplyTerms::checks).orElse(List.of());
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
}
