package dev.jdyno.plan;

import dev.jdyno.measure.load.Goal;
import dev.jdyno.measure.load.Workload;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.thread.MethodName;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Stream;

/// Reads a plan from YAML. All mistakes of a file are reported at once, each with line and key.
public final class PlanFile {
    /// The reason why a search for a rate does not support journeys.
    public static final String ONE_REQUEST_A_JOURNEY =
            "a rate of requests is searched, and a journey of this workload is several requests";

    private PlanFile() {}

    /// @throws dev.jdyno.measure.text.UserError of kind usage when the file cannot be read or holds
    ///   mistakes
    ///
    /// @param environment values of `${NAME}` in the file
    public static Plan read(Path file, Environment environment) {
        String stem = String.valueOf(file.getFileName()).replaceAll("\\.ya?ml$", "");
        return parse(
                YamlFile.read(
                        "plan",
                        file,
                        "give the path of a plan file, or --url URL for a run without one"),
                stem,
                environment);
    }

    /// @param file name of the file in error messages
    /// @param defaultName the run's name if the plan has none
    static Plan parse(String file, String defaultName, String text) {
        return parse(file, defaultName, text, Environment.NONE);
    }

    static Plan parse(String file, String defaultName, String text, Environment environment) {
        return parse(YamlFile.of("plan", file, text), defaultName, environment);
    }

    private static Plan parse(YamlFile yaml, String defaultName, Environment environment) {
        var problems = new Problems();
        var variables = Variables.of(environment);
        YamlMap top =
                yaml.top(
                        problems,
                        variables,
                        "write at least `url: http://host:port/path` and a `target:`");
        Path folder =
                Optional.ofNullable(Path.of(yaml.file()).toAbsolutePath().getParent())
                        .orElse(Path.of(""));
        Plan plan = plan(top, defaultName, folder);
        Optional<Workload> workload = workload(top, folder, problems);
        if (workload.isPresent()) {
            plan = withWorkload(top, plan, workload.get());
        }
        if (top.has("drive")) {
            // a file that says how to connect is mistaken, whatever its values are
            Stream.concat(Drive.unsent(plan).stream(), Stream.of("tls", "grpc"))
                    .distinct()
                    .filter(top::has)
                    .forEach(key -> top.problem(key, Drive.OWN_REQUESTS, "leave it out"));
        }
        plan = plan.withKnobs(KnobText.read(top, folder, plan.target()));
        plan =
                plan.withBuilds(
                        new Plan.Builds(reference(top, plan.target()), build(top, plan.target())));
        top.close();
        problems.throwIfAny(yaml.what());
        return plan.with(variables.written());
    }

    private static Plan plan(YamlMap top, String defaultName, Path folder) {
        String name =
                top.value("name", Function.identity(), "write a short name").orElse(defaultName);
        if (!top.has("url")) {
            top.problem("url", "missing", "add url: http://host:port/path");
        }
        Plan.TargetPlan target = target(top, folder);
        boolean anyPort =
                target instanceof Plan.TargetPlan.Launch(String command)
                        && command.contains(Plan.PORT);
        URI url =
                top.value(
                                "url",
                                anyPort ? PlanValues::urlOfAnyPort : PlanValues::url,
                                "write http://host:port/path; {port} where the launch command"
                                        + " says {port}, too")
                        .orElse(URI.create("http://missing.invalid/"));
        String method =
                top.value("method", PlanValues::method, "write GET, POST, PUT, …").orElse("GET");
        GrpcText grpc = GrpcText.read(top, folder, url);
        Map<String, String> headers = HeaderKeys.whole(top, top.strings("headers"));
        Optional<String> body = top.value("body", Function.identity(), "write a text");
        Plan.Proving proving = proving(top);
        proving.mistakeWith(target)
                .ifPresent(m ->
                        top.problem("prove", m, "write launch: \"... --backend http://{relay}\""));
        return new Plan(
                name,
                new Plan.Request(
                        grpc.at(url),
                        method,
                        headers,
                        body.or(grpc::data),
                        Optional.empty(),
                        tls(top, folder),
                        agents(top, folder),
                        drive(top, anyPort),
                        ReplyKeys.read(top, headers),
                        grpc.terms()),
                target,
                new Plan.Course(warmup(top), rounds(top), evidence(top), limits(top)),
                search(top),
                proving,
                inside(top));
    }

    private static Optional<Drive> drive(YamlMap top, boolean anyPort) {
        Optional<Drive> drive = drive(top);
        if (anyPort && drive.filter(d -> !d.reachesAnyPort()).isPresent()) {
            top.problem("drive", Drive.NO_PORT, Drive.WRITE_PORT);
        }
        return drive;
    }

    /// Reads `drive: wrk -c{n} …`, or `drive: {command: wrk -c{n} …, through: 8090}`.
    private static Optional<Drive> drive(YamlMap top) {
        if (!top.has("drive") || top.isValue("drive")) {
            return top.value("drive", Drive::parse, Drive.FORM);
        }
        YamlMap map = top.map("drive").orElseThrow();
        Optional<Drive> drive = map.value("command", Drive::parse, Drive.FORM);
        if (!map.has("command")) {
            map.problem("command", "missing", Drive.FORM);
        }
        Optional<Integer> port = map.value("through", PlanValues::port, "write a port, 8090");
        map.close();
        return drive.map(d -> port.map(d::withThrough).orElse(d));
    }

    /// Reads `tls: {cacert: ca.pem}` or `tls: {insecure: true}`; the path is relative to the plan.
    private static Plan.Tls tls(YamlMap top, Path folder) {
        Optional<YamlMap> found = top.map("tls");
        if (found.isEmpty()) {
            return Plan.Tls.DEFAULT;
        }
        YamlMap map = found.get();
        boolean insecure =
                map.value("insecure", PlanValues::flag, "write true or false").orElse(false);
        Optional<Path> caFile = map.value("cacert", folder::resolve, "write the path of a file");
        map.close();
        return new Plan.Tls(insecure, caFile);
    }

    /// Reads `agents: {hosts: [lg1, lg2:4711], tokenFile: token}`; the path is relative to the
    /// plan.
    private static Optional<Plan.Agents> agents(YamlMap top, Path folder) {
        Optional<YamlMap> found = top.map("agents");
        if (found.isEmpty()) {
            return Optional.empty();
        }
        YamlMap map = found.get();
        List<String> hosts = map.values("hosts", PlanValues::agent, "write [lg1, lg2:4711]");
        if (!map.has("hosts")) {
            map.problem("hosts", "missing", "add hosts: [lg1, lg2:4711]");
        }
        if (hosts.stream().distinct().count() < hosts.size()) {
            map.problem("hosts", "an agent is named twice", "name each agent once");
        }
        Optional<Path> token = secret(map, folder);
        if (token.isEmpty()) {
            map.problem(
                    "tokenFile",
                    "missing",
                    "add tokenFile: PATH, the file the agents have, or keyFile: PATH");
        }
        map.close();
        return token.filter(_ -> !hosts.isEmpty()).map(t -> new Plan.Agents(hosts, t));
    }

    /// The path of a file with a token or with the run's private key. The file's content shows
    /// which of them it is.
    private static Optional<Path> secret(YamlMap map, Path folder) {
        String fix = "write the path of a file";
        Optional<Path> key = map.value("keyFile", folder::resolve, fix);
        return key.or(() -> map.value("tokenFile", folder::resolve, fix));
    }

    /// Reads `look: {profile: true, liveCount: true, stages: [com.acme.Foo.bar]}`. By default,
    /// flame graphs are taken, and live objects are counted if the heap seems to leak. Also reads
    /// `metrics: URL` or `metrics: false`. By default, jdyno searches for metrics.
    private static InsidePlan inside(YamlMap top) {
        MetricsPlan metrics =
                top.value("metrics", MetricsPlan::parse, MetricsPlan.FORM)
                        .orElse(MetricsPlan.SEARCH);
        Optional<YamlMap> found = top.map("look");
        if (found.isEmpty()) {
            return InsidePlan.DEFAULT.with(metrics);
        }
        YamlMap map = found.get();
        boolean profile =
                map.value("profile", PlanValues::flag, "write true or false").orElse(true);
        List<MethodName> stages =
                map.values("stages", MethodName::parse, "write [com.acme.Foo.bar]");
        Optional<Path> frames = map.value("frames", Path::of, "write the path of a file");
        boolean liveCount =
                map.value("liveCount", PlanValues::flag, "write true or false").orElse(true);
        map.close();
        return new InsidePlan(profile, stages, frames, liveCount, metrics);
    }

    /// Reads `prove: true`, or `prove: {relay: host:port}`.
    private static Plan.Proving proving(YamlMap top) {
        if (!top.has("prove")) {
            return Plan.Proving.NONE;
        }
        if (top.isValue("prove")) {
            boolean wanted =
                    top.value("prove", PlanValues::flag, "write true or {relay: host:port}")
                            .orElse(false);
            return new Plan.Proving(wanted, Optional.empty());
        }
        YamlMap map = top.map("prove").orElseThrow();
        Optional<String> relay =
                map.value("relay", PlanValues::hostAndPort, "write 127.0.0.1:8081");
        map.close();
        return new Plan.Proving(true, relay);
    }

    /// Reads `reference: "java -jar pinned.jar {port}"`: the build that `jdyno guard` compares
    /// with.
    private static Optional<String> reference(YamlMap top, Plan.TargetPlan target) {
        Optional<String> command =
                top.value("reference", Function.identity(), "write a launch command");
        if (command.isEmpty()) {
            return command;
        }
        String fix = "write target: {launch: \"java -jar app.jar {port}\"}";
        if (!(target instanceof Plan.TargetPlan.Launch(String launch))) {
            top.problem(
                    "reference", "the target is not launched, so nothing alternates with it", fix);
        } else if (command.get().contains(Plan.PORT) != launch.contains(Plan.PORT)) {
            top.problem(
                    "reference",
                    "only one of reference and target.launch has " + Plan.PORT,
                    "write " + Plan.PORT + " in both, or in neither");
        }
        return command;
    }

    /// Reads `build: ./mvnw -q package`: the command that `jdyno guard --bisect` runs in a copy of
    /// each commit.
    private static Optional<String> build(YamlMap top, Plan.TargetPlan target) {
        Optional<String> command =
                top.value("build", Function.identity(), "write a command, such as ./mvnw package");
        if (command.isPresent() && !(target instanceof Plan.TargetPlan.Launch)) {
            top.problem(
                    "build",
                    "the target is not launched, so nothing of a build would run",
                    "write target: {launch: \"java -jar target/app.jar {port}\"}");
        }
        return command;
    }

    /// Reads `workload: shop.yaml`, or the keys of a workload under `workload`.
    private static Optional<Workload> workload(YamlMap top, Path folder, Problems problems) {
        if (top.isValue("workload")) {
            return top.value("workload", folder::resolve, "give a YAML file")
                    .map(file -> WorkloadFile.read(file, top.variablesBelow("workload")));
        }
        return top.map("workload").flatMap(w -> WorkloadFile.read(w, folder, problems));
    }

    private static Plan withWorkload(YamlMap top, Plan plan, Workload workload) {
        for (String key : List.of("method", "body")) {
            if (top.has(key)) {
                top.problem(key, "the workload says what is sent", "write it into its steps");
            }
        }
        Plan changed = plan.withWorkload(workload);
        if (top.has("goal") && changed.hasJourneysOfSeveralRequests()) {
            top.problem("goal", ONE_REQUEST_A_JOURNEY, "use journeys of one step, or leave it out");
        }
        return changed;
    }

    /// Reads `goal: p99<100ms`, or the keys of a search under `goal`.
    private static Optional<Plan.GoalSearch> search(YamlMap top) {
        if (!top.has("goal")) {
            return Optional.empty();
        }
        if (top.isValue("goal")) {
            return top.value("goal", GoalText::goals, GoalText.FORM)
                    .map(goals ->
                            new Plan.GoalSearch(
                                    goals,
                                    Optional.empty(),
                                    Plan.GoalSearch.PRECISION,
                                    OptionalDouble.empty()));
        }
        YamlMap map = top.map("goal").orElseThrow();
        if (!map.has("keep")) {
            map.problem("keep", "missing", "add keep: p99<100ms,errors<0.1%");
        }
        List<Goal> goals =
                map.value("keep", GoalText::goals, GoalText.FORM).orElseGet(List::<Goal>of);
        Optional<Duration> budget = map.value("budget", GoalText::budget, "write 5m");
        double precision =
                map.value("precision", GoalText::precision, "write 5%")
                        .orElse(Plan.GoalSearch.PRECISION);
        Optional<Double> start = map.value("start", GoalText::rate, "write 450/s");
        map.close();
        return Optional.of(
                new Plan.GoalSearch(
                        goals,
                        budget,
                        precision,
                        start.map(OptionalDouble::of).orElseGet(OptionalDouble::empty)));
    }

    private static Plan.TargetPlan target(YamlMap top, Path folder) {
        Optional<YamlMap> found = top.map("target");
        if (found.isEmpty()) {
            return new Plan.TargetPlan.None();
        }
        YamlMap map = found.get();
        Optional<String> launch = map.value("launch", Function.identity(), "write a command line");
        Optional<Long> pid = map.value("pid", PlanValues::pid, "write the JVM's process id");
        Optional<Path> token = secret(map, folder);
        Optional<Plan.TargetPlan.Observed> observed =
                map.value(
                        "observe",
                        text -> PlanValues.observed(text, token.orElse(folder)),
                        "write HOST[:PORT] of an agent, and :name=, :port= or :pid= after it");
        List<String> given = Stream.of("launch", "pid", "observe").filter(map::has).toList();
        if (given.size() > 1) {
            map.problem(
                    given.get(1),
                    (given.size() == 2 ? "both " : "") + String.join(" and ", given) + " are given",
                    "keep one of them");
        }
        if (map.has("observe") && token.isEmpty()) {
            map.problem(
                    "tokenFile",
                    "missing",
                    "add tokenFile: PATH, the file the agent has, or keyFile: PATH");
        }
        if (given.isEmpty()) {
            map.problem(
                    "launch",
                    "none of launch, pid and observe is given",
                    "add one, or drop target:");
        }
        map.close();
        if (launch.isPresent()) {
            return new Plan.TargetPlan.Launch(launch.get());
        }
        if (observed.isPresent()) {
            return observed.get();
        }
        return pid.isPresent() ? new Plan.TargetPlan.Attach(pid.get()) : new Plan.TargetPlan.None();
    }

    private static Plan.Warmup warmup(YamlMap top) {
        var standard = Plan.Warmup.DEFAULT;
        Optional<YamlMap> found = top.map("warmup");
        if (found.isEmpty()) {
            return standard;
        }
        YamlMap map = found.get();
        Duration atLeast = duration(map, "atLeast", standard.atLeast());
        Duration atMost =
                duration(
                        map,
                        "atMost",
                        standard.atMost().compareTo(atLeast) < 0 ? atLeast : standard.atMost());
        if (atMost.compareTo(atLeast) < 0) {
            map.problem("atMost", "shorter than atLeast", "make it " + Durations.format(atLeast));
        }
        int concurrency = count(map, "concurrency", standard.concurrency());
        map.close();
        return new Plan.Warmup(atLeast, atMost, concurrency);
    }

    private static Plan.Rounds rounds(YamlMap top) {
        var standard = Plan.Rounds.DEFAULT;
        Optional<YamlMap> found = top.map("rounds");
        if (found.isEmpty()) {
            return standard;
        }
        YamlMap map = found.get();
        Duration length = duration(map, "length", standard.length());
        if (length.compareTo(Duration.ofSeconds(2)) < 0) {
            map.problem("length", "shorter than 2s", "a round needs at least two slices of 1s");
        }
        Duration settle = duration(map, "settle", standard.settle());
        List<Integer> steps =
                map.values("concurrency", PlanValues::count, "write [1, 2, 4, 8]").stream()
                        .sorted()
                        .distinct()
                        .toList();
        int max = count(map, "maxConcurrency", standard.maxConcurrency());
        map.close();
        return new Plan.Rounds(length, settle, steps, max);
    }

    private static Plan.Evidence evidence(YamlMap top) {
        var standard = Plan.Evidence.DEFAULT;
        Optional<YamlMap> found = top.map("evidence");
        if (found.isEmpty()) {
            return standard;
        }
        YamlMap map = found.get();
        Duration window = duration(map, "window", standard.window());
        int dumps = count(map, "dumps", standard.dumps());
        map.close();
        return new Plan.Evidence(window, dumps);
    }

    private static Plan.Limits limits(YamlMap top) {
        var standard = Plan.Limits.DEFAULT;
        Optional<YamlMap> found = top.map("limits");
        if (found.isEmpty()) {
            return standard;
        }
        YamlMap map = found.get();
        double errors =
                map.value("errors", PlanValues::share, "write a share such as 1%")
                        .orElse(standard.errorShare());
        Duration start = duration(map, "start", standard.startTimeout());
        Duration request = duration(map, "request", standard.requestTimeout());
        map.close();
        return new Plan.Limits(errors, start, request);
    }

    private static Duration duration(YamlMap map, String key, Duration standard) {
        return map.value(key, Durations::parse, "write 500ms, 5s or 2m").orElse(standard);
    }

    private static int count(YamlMap map, String key, int standard) {
        return map.value(
                        key,
                        PlanValues::count,
                        "write a whole number of at least 1, such as "
                                + String.format(Locale.ROOT, "%d", standard))
                .orElse(standard);
    }
}
