package dev.jdyno.cli;

import dev.jdyno.cli.gc.GcPages;
import dev.jdyno.cli.options.AgentsOptions;
import dev.jdyno.cli.options.AimOption;
import dev.jdyno.cli.options.AtFile;
import dev.jdyno.cli.options.DriveOption;
import dev.jdyno.cli.options.ForceOption;
import dev.jdyno.cli.options.GoalOptions;
import dev.jdyno.cli.options.GrpcOptions;
import dev.jdyno.cli.options.InsideOptions;
import dev.jdyno.cli.options.KeepOptions;
import dev.jdyno.cli.options.LiveOption;
import dev.jdyno.cli.options.OptionTexts;
import dev.jdyno.cli.options.OtlpOption;
import dev.jdyno.cli.options.PaceOptions;
import dev.jdyno.cli.options.PodOptions;
import dev.jdyno.cli.options.ProveOptions;
import dev.jdyno.cli.options.ReplyOptions;
import dev.jdyno.cli.options.RequestOptions;
import dev.jdyno.cli.options.TargetOptions;
import dev.jdyno.cli.options.TlsOptions;
import dev.jdyno.cli.terminal.Interrupt;
import dev.jdyno.cli.terminal.OutputOptions;
import dev.jdyno.cluster.kubernetes.WantedObserver;
import dev.jdyno.measure.RunningJvm;
import dev.jdyno.measure.load.GrpcUrl;
import dev.jdyno.measure.load.ReplyRules;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.Secrets;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Drive;
import dev.jdyno.plan.GrpcTerms;
import dev.jdyno.plan.InsidePlan;
import dev.jdyno.plan.Plan;
import dev.jdyno.plan.PlanFile;
import dev.jdyno.plan.PlanValues;
import dev.jdyno.report.JvmsReport;
import dev.jdyno.trial.InsideOpening;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description = "Load a service in steps, watch it, find the knee, name the bottleneck.",
        footer = {
            "",
            "Examples:",
            "  jdyno run plan.yaml",
            "  the JVM of this host that listens on port 8080:",
            "    jdyno run 'http://127.0.0.1:8080/item?id=1'",
            "  jdyno run 'http://127.0.0.1:8080/item?id=1' --pid 4711",
            "  jdyno run --url http://127.0.0.1:8080/ --launch \"java -jar app.jar\"",
            "  jdyno run --url http://127.0.0.1:8080/ --no-target",
            "  diagnose a service on another host, where jdyno agent runs:",
            "    jdyno run http://app1:8080/ --observe app1:port=8080 --token-file token",
            "  diagnose a JVM in a Kubernetes pod; the URL is that inside the pod:",
            "    jdyno run http://localhost:8080/ --k8s shop-6d4cf56db6-x2x8v --namespace shop",
            "  load from two other hosts, where jdyno agent runs:",
            "    jdyno run --url http://shop:8080/ --no-target --agents lg1,lg2 --token-file token",
            "  how much load keeps a goal, in about five minutes of load:",
            "    jdyno run --url http://127.0.0.1:8080/ --pid 4711 --goal 'p99<100ms' --budget 5m",
            "  let your own load tool send the load:",
            "    jdyno run --pid 4711 \\",
            "        --drive 'wrk -t1 -c{n} -d{seconds}s --latency --timeout 30s"
                    + " http://127.0.0.1:8080/'",
            "  put the verdict to the test, with a relay in front of the downstream:",
            "    jdyno run --url http://127.0.0.1:8080/ --prove --relay 127.0.0.1:8081 \\",
            "        --launch \"java -jar app.jar --backend=http://{relay}\"",
        })
final class RunCommand implements Callable<Integer> {
    private static final String DRIVEN = "with --drive, the load tool sends its own requests";

    @Parameters(
            arity = "0..1",
            paramLabel = "PLAN.yaml|URL",
            description =
                    "The plan to run, or, instead of --url, the URL to load. Without --pid,"
                            + " --launch, --observe, --k8s or --no-target, jdyno watches the JVM"
                            + " of this host that listens on the URL's port.")
    private @Nullable String first;

    @Mixin private TargetOptions.Url url = new TargetOptions.Url();

    @Mixin private TargetOptions target = new TargetOptions();

    @Mixin private PodOptions pods = new PodOptions();

    @Mixin private RequestOptions request = new RequestOptions("GET");

    @Mixin private TlsOptions tls = new TlsOptions();

    @Mixin private GrpcOptions grpc = new GrpcOptions();

    @Mixin private AgentsOptions agents = new AgentsOptions();

    @Option(
            names = "--name",
            description = "Names the run and its folder (default: the plan's name or the host).")
    private @Nullable String name;

    @Option(
            names = "--concurrency",
            split = ",",
            paramLabel = "N",
            description = "Measure at these numbers of requests in flight instead of searching.")
    private List<Integer> concurrency = List.of();

    @Option(
            names = "--max-concurrency",
            paramLabel = "N",
            description = "Most requests in flight that the search tries (default 512).")
    private @Nullable Integer maxConcurrency;

    @Option(
            names = "--round",
            paramLabel = "TIME",
            description = "Time measured at each load (default 6s).")
    private @Nullable String round;

    @Mixin private PaceOptions.Warmup warmup = new PaceOptions.Warmup("90s");

    @Mixin private GoalOptions goal = new GoalOptions();

    @Mixin private ReplyOptions replies = new ReplyOptions();

    @Mixin private DriveOption drive = new DriveOption();

    @Mixin private ProveOptions proving = new ProveOptions();

    @Mixin private InsideOptions insideOptions = new InsideOptions();

    @Mixin private AimOption improving = new AimOption();

    @Mixin private ForceOption force = new ForceOption();

    @Mixin private LiveOption live = new LiveOption();

    @Mixin private OtlpOption otlp = new OtlpOption();

    @Mixin private KeepOptions keeping = new KeepOptions();

    @Mixin private OutputOptions output = new OutputOptions();

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        Plan plan = plan();
        try (Interrupt interrupt = new Interrupt()) {
            return pods.isGiven()
                    ? inPod(plan, interrupt)
                    : measured(plan, Optional.empty(), interrupt);
        }
    }

    private int inPod(Plan plan, Interrupt interrupt) throws IOException, InterruptedException {
        var problems = Problems.ofCommand("jdyno run");
        WantedObserver wanted = pods.wanted(plan.url(), problems);
        problems.throwIfAny();
        var run = new PodRun(interrupt, output.quiet, spec.commandLine().getErr());
        if (pods.isDryRun()) {
            PrintWriter out = spec.commandLine().getOut();
            out.print(run.dryRun(wanted));
            out.flush();
            return 0;
        }
        return run.of(
                wanted,
                plan,
                Optional.ofNullable(name),
                (there, away) -> measured(there, Optional.of(away), interrupt));
    }

    /// @param away how a target on another host is observed; empty: by the agent that the plan
    ///   names
    private int measured(Plan plan, Optional<InsideOpening> away, Interrupt interrupt)
            throws IOException, InterruptedException {
        var commandLine = spec.commandLine();
        String typed = OptionTexts.typed(spec);
        try (LiveOption.Serving serving =
                        live.serve(
                                plan.name(), keeping.store(), GcPages::html, commandLine.getErr());
                OtlpOption.Sending sending =
                        otlp.sending(plan.name(), OptionTexts.ENVIRONMENT, commandLine.getErr())) {
            return new DynoRun(output, commandLine.getOut(), commandLine.getErr(), typed)
                    .since(insideOptions.since())
                    .aim(improving.aim(Problems.ofCommand("jdyno run")))
                    .force(force.wanted)
                    .live(serving.wanted())
                    .otlp(sending.wanted())
                    .away(away)
                    .kept(keeping, KeepOptions.around(first))
                    .run(plan, interrupt);
        }
    }

    private Plan plan() {
        String word = first;
        Optional<String> typed = url.given();
        if (word != null && word.matches("(https?|grpcs?)://.*")) {
            if (typed.isPresent()) {
                throw UserError.usage(
                        "two URLs are given",
                        word + " and --url " + typed.get(),
                        "give one of them; several requests stand in a plan's workload");
            }
            typed = Optional.of(word);
        } else if (word != null) {
            if (typed.isPresent() || target.refusePlan()) {
                throw UserError.usage(
                        "a plan file and --url, --launch, --observe, --k8s or --no-target are given",
                        "the plan says which URL and target to use",
                        "give the plan file alone, or the options alone; --pid PID takes the place"
                                + " of a plan's pid");
            }
            Plan plan = PlanFile.read(Path.of(word), OptionTexts.ENVIRONMENT).runnable();
            var problems = Problems.ofCommand("jdyno run");
            pods.check(problems);
            return changed(target.pid().map(pid -> ofNewProcess(plan, pid)).orElse(plan), problems);
        }
        var problems = Problems.ofCommand("jdyno run");
        Optional<String> found = typed.or(() -> drive.url(target.pid()));
        pods.check(problems);
        if (found.isEmpty()) {
            problems.add("--url", "missing", "give a plan file, or a URL with a target");
        }
        Plan plan =
                Plan.of(
                        "run",
                        found.map(text ->
                                        TargetOptions.Url.parse(
                                                "--url",
                                                text,
                                                target.launchesAtAnyPort(),
                                                problems))
                                .orElse(TargetOptions.Url.MISSING),
                        jvm(problems));
        Plan checked = changed(plan, problems);
        Plan complete = withTarget(checked);
        return name == null ? complete.named(nameOf(complete)) : complete;
    }

    private Plan.TargetPlan jvm(Problems problems) {
        Plan.TargetPlan named = target.target(agents.tokenFile(), problems);
        return pods.isGiven() ? PodOptions.LATER : named;
    }

    /// The plan with the PID of a restarted service.
    private static Plan ofNewProcess(Plan plan, long pid) {
        if (!(plan.target() instanceof Plan.TargetPlan.Attach)) {
            throw UserError.usage(
                    "--pid " + pid + " is given with a plan whose target is no pid",
                    "it takes the place of the pid in a plan: target: {pid: 4711}",
                    "leave --pid out, or change the plan's target");
        }
        return plan.withTarget(new Plan.TargetPlan.Attach(pid));
    }

    /// The service's own name if its JVM shows one, else the host and port of the URL.
    private static String nameOf(Plan plan) {
        return ServiceName.of(plan.target())
                .orElseGet(() -> Secrets.withoutUser(plan.url().getRawAuthority()));
    }

    /// The plan with a target. If none is named, the target is the JVM of this host that listens on
    /// the URL's port.
    private Plan withTarget(Plan plan) {
        if (!target.isEmpty()) {
            return plan;
        }
        RunningJvm jvm = TargetByPort.ofThisHost().find(plan.url());
        if (!output.quiet) {
            spec.commandLine().getErr().println("observing JVM " + JvmsReport.line(jvm));
        }
        return plan.withTarget(new Plan.TargetPlan.Attach(jvm.pid()));
    }

    /// Checks the values of the options, alone and in combination.
    ///
    /// @param inside the plan's observations inside the target, changed by the options
    /// @param searches true if the run searches for a load under goals
    private void check(
            Plan plan,
            InsidePlan inside,
            Optional<Duration> length,
            boolean searches,
            Problems problems) {
        for (int n : concurrency) {
            if (n < 1) {
                problems.add("--concurrency", n + " is less than 1", "write 1,2,4,8");
            }
        }
        if (maxConcurrency != null && maxConcurrency < 1) {
            problems.add("--max-concurrency", "less than 1", "write a whole number of at least 1");
        }
        length.filter(l -> l.compareTo(Duration.ofSeconds(2)) < 0)
                .ifPresent(_ ->
                        problems.add(
                                "--round",
                                "shorter than 2s",
                                "a round needs at least two slices of 1s"));
        if (searches && !concurrency.isEmpty()) {
            problems.add(
                    "--concurrency",
                    "closed-loop loads are given with --goal, which searches open-model rates",
                    "drop one of them");
        }
        if (searches && length.isPresent()) {
            problems.add(
                    "--round",
                    "a length is given with --goal, whose rates are driven until they are"
                            + " decided",
                    "drop one of them; --budget limits the whole search");
        }
        if (plan.target() instanceof Plan.TargetPlan.Observed
                && !pods.isGiven()
                && inside.frames().isPresent()) {
            problems.add(
                    "--frames",
                    "a file is given, and the target is observed on another host",
                    "leave it out: the file is not sent to agents yet");
        }
        if (plan.workload().isPresent()
                && (request.method().isPresent() || request.body().isPresent())) {
            problems.add(
                    "--method, --body",
                    "the plan's workload says what is sent",
                    "write it into the workload's steps");
        }
        if (drive.loads(plan) && request.isGiven()) {
            problems.add("--method, --body, --header", DRIVEN, "leave them out");
        }
        if (drive.loads(plan)) {
            OptionTexts.refuse(
                    spec,
                    List.of("--insecure", "--cacert", "--proto", "--deadline", "--gzip"),
                    DRIVEN,
                    "leave it out, and write it into the tool's command",
                    problems);
        }
        if (searches && plan.hasJourneysOfSeveralRequests()) {
            problems.add(
                    "--goal",
                    PlanFile.ONE_REQUEST_A_JOURNEY,
                    "use journeys of one step, or leave it out");
        }
    }

    private Plan changed(Plan plan, Problems problems) {
        Map<String, String> allHeaders = new LinkedHashMap<>(plan.headers());
        request.headers(problems).forEach(h -> allHeaders.put(h.name(), h.value()));
        Optional<String> sent =
                request.body().isEmpty()
                        ? plan.body()
                        : AtFile.text("--body", request.body().get(), problems);
        Optional<Duration> length =
                OptionTexts.optional("--round", round, Durations::parse, problems);
        Optional<Duration> longest =
                OptionTexts.optional(
                        "--warmup", warmup.given().orElse(null), Durations::parse, problems);
        Optional<String> verb =
                OptionTexts.optional(
                        "--method", request.method().orElse(null), PlanValues::method, problems);
        Optional<Plan.GoalSearch> search = goal.search(plan.search(), problems);
        GrpcTerms calls =
                grpc.over(plan.request().grpc(), GrpcUrl.is(plan.url().toString()), problems);
        Plan.Proving proof = proving.of(plan, problems);
        InsidePlan inside = insideOptions.of(plan.inside(), problems);
        Optional<Plan.Agents> from =
                agents.over(
                        plan.agents(), plan.target() instanceof Plan.TargetPlan.Observed, problems);
        Optional<Drive> driver = drive.over(plan, search.isPresent(), problems);
        ReplyRules watched =
                replies.over(
                        plan.request().replies(),
                        List.copyOf(allHeaders.keySet()),
                        driver.isPresent(),
                        problems);
        improving.aim(problems);
        otlp.endpoint(OptionTexts.ENVIRONMENT, problems);
        check(plan, inside, length, search.isPresent(), problems);
        problems.throwIfAny();
        var rounds =
                new Plan.Rounds(
                        length.orElse(plan.rounds().length()),
                        plan.rounds().settle(),
                        concurrency.isEmpty() ? plan.rounds().concurrency() : concurrency,
                        maxConcurrency == null ? plan.rounds().maxConcurrency() : maxConcurrency);
        Duration atMost = longest.orElse(plan.warmup().atMost());
        var warm =
                new Plan.Warmup(
                        plan.warmup().atLeast().compareTo(atMost) > 0
                                ? atMost
                                : plan.warmup().atLeast(),
                        atMost,
                        plan.warmup().concurrency());
        return new Plan(
                name == null ? plan.name() : name,
                new Plan.Request(
                        plan.url(),
                        verb.orElse(plan.method()),
                        allHeaders,
                        sent,
                        plan.workload(),
                        tls.over(plan.tls()),
                        from,
                        driver,
                        watched,
                        calls),
                plan.target(),
                new Plan.Course(warm, rounds, plan.evidence(), plan.limits()),
                search,
                proof,
                inside,
                plan.knobs(),
                plan.builds(),
                plan.written());
    }
}
