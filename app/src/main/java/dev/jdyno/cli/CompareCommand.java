package dev.jdyno.cli;

import dev.jdyno.cli.options.DriveOption;
import dev.jdyno.cli.options.KeepOptions;
import dev.jdyno.cli.options.OptionTexts;
import dev.jdyno.cli.options.OutputFolder;
import dev.jdyno.cli.options.PaceOptions;
import dev.jdyno.cli.options.TargetOptions;
import dev.jdyno.cli.terminal.Interrupt;
import dev.jdyno.cli.terminal.LiveView;
import dev.jdyno.cli.terminal.OutputOptions;
import dev.jdyno.cli.terminal.Version;
import dev.jdyno.compare.Compared;
import dev.jdyno.compare.Comparison;
import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Note;
import dev.jdyno.compare.Settings;
import dev.jdyno.compare.Stored;
import dev.jdyno.compare.Variant;
import dev.jdyno.files.PrivateFiles;
import dev.jdyno.history.Entries;
import dev.jdyno.history.Kind;
import dev.jdyno.history.RoundLines;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.load.Goal;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Plan;
import dev.jdyno.plan.PlanFile;
import dev.jdyno.report.CompareReport;
import dev.jdyno.report.html.HtmlReport;
import dev.jdyno.report.json.ResultJson;
import dev.jdyno.report.words.CompareText;
import dev.jdyno.trial.AgentServices;
import dev.jdyno.trial.LiveService;
import dev.jdyno.trial.Session;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        description = {
            "Decide whether B is better than A: other flags, another build, another setting.",
            "",
            "Both are started again and again, loaded in turns, and compared until it is decided."
                    + " Exit code 0: B is better or as good, 4: worse, 3: not decided."
        },
        footer = {
            "",
            "Examples:",
            "  the same service with another flag:",
            "    jdyno compare --url http://127.0.0.1:{port}/ \\",
            "        --a 'java -jar app.jar --server.port={port}' --flags-b '-XX:+UseParallelGC'",
            "  two builds:",
            "    jdyno compare --url http://127.0.0.1:{port}/ \\",
            "        --a 'java -jar old.jar {port}' --b 'java -jar new.jar {port}'",
            "  two commands that the agent of another host has in its list:",
            "    jdyno compare --url http://app1:{port}/ --observe app1:4711 \\",
            "        --key-file run.key --a launch:a --b launch:b",
            "  two plans; two JVMs that run already; two stored results:",
            "    jdyno compare a.yaml b.yaml",
            "    jdyno compare --url http://127.0.0.1:8080/ --pid-a 4711 \\",
            "        --url-b http://127.0.0.1:8081/ --pid-b 4712",
            "    jdyno compare before/result.json after/result.json",
            "  the highest rate at which a goal holds:",
            "    jdyno compare a.yaml b.yaml --goal 'p99<100ms'",
            "  your own load tool sends the load:",
            "    jdyno compare --a 'java -jar old.jar {port}' --b 'java -jar new.jar {port}' \\",
            "        --drive 'wrk -t1 -c{n} -d{seconds}s --latency --timeout 30s"
                    + " http://127.0.0.1:{port}/'",
        })
final class CompareCommand implements Callable<Integer> {
    /// Exit code if B is worse than A.
    private static final int WORSE = 4;

    @Parameters(
            arity = "0..2",
            paramLabel = "PLAN.yaml|RESULT.json",
            description = "One plan for both, a plan each, or two stored results.")
    private List<Path> files = List.of();

    @Mixin private TargetOptions.Url url = new TargetOptions.Url();

    @Option(names = "--url-b", paramLabel = "URL", description = "The URL of B, where it differs.")
    private @Nullable String urlB;

    @Option(names = "--a", paramLabel = "COMMAND", description = "Start A with this command.")
    private @Nullable String commandA;

    @Option(
            names = "--b",
            paramLabel = "COMMAND",
            description = "Start B with this command (default: as A).")
    private @Nullable String commandB;

    @Option(
            names = "--flags-b",
            paramLabel = "FLAGS",
            description = "Flags that the JVM of B gets in addition.")
    private @Nullable String flagsB;

    @Option(names = "--pid-a", paramLabel = "PID", description = "A runs already.")
    private @Nullable Long pidA;

    @Option(names = "--pid-b", paramLabel = "PID", description = "B runs already.")
    private @Nullable Long pidB;

    @Mixin private AwayOptions away = new AwayOptions();

    @Option(
            names = "--primary",
            paramLabel = "FIGURE",
            description =
                    "What the verdict is about: qps (default), p50, p99, cpuMsPerRequest,"
                            + " allocBytesPerRequest, gcMsPerS; with --drive also driverP50,"
                            + " driverP99.")
    private @Nullable String primary;

    // A comparison needs a minimum number of starts, which takes about a minute.
    @Mixin
    private PaceOptions pace =
            new PaceOptions(
                    new PaceOptions.Time(Settings.DEFAULT.budget(), Duration.ofMinutes(1)),
                    new PaceOptions.Time(Settings.DEFAULT.block(), Duration.ofSeconds(2)),
                    new PaceOptions.Time(Settings.DEFAULT.warmup(), Duration.ofSeconds(3)),
                    "8m; it ends as soon as it is decided",
                    "3%");

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            description = "Requests in flight for throughput (default: twice the smaller knee).")
    private @Nullable Integer concurrency;

    @Option(
            names = "--rate",
            paramLabel = "PER_SECOND",
            description =
                    "Rate for response times (default: half of what the slower variant gives).")
    private @Nullable Double rate;

    @Option(
            names = "--goal",
            paramLabel = "GOAL",
            description =
                    "Compare the highest rate at which this holds, such as p99<100ms; it becomes"
                            + " the primary figure.")
    private @Nullable String goal;

    @Option(
            names = "--no-look",
            description =
                    "Do not look into both services in the end for where the difference comes"
                            + " from.")
    private boolean skipDiagnosis;

    @Option(names = "--markdown", description = "Print a table for a pull request.")
    private boolean markdown;

    @Mixin private DriveOption drive = new DriveOption();

    @Mixin private KeepOptions keeping = new KeepOptions();

    @Mixin private OutputOptions output = new OutputOptions();

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        var problems = Problems.ofCommand("jdyno compare");
        Settings asked = settings(problems);
        if (files.size() > 2) {
            problems.add(
                    String.join(" ", files.stream().skip(2).map(Path::toString).toList()),
                    "two variants are compared",
                    "give one plan for both, or one of each");
            problems.throwIfAny();
        }
        if (areResults()) {
            problems.throwIfAny();
            return exitCode(stored(asked, out));
        }
        Variant a = variantA(problems);
        Variant b = variantB(a, problems);
        Settings settings = CompareDrive.settings(asked, a.plan(), b.plan(), problems);
        CompareDrive.require(a, b, urlB != null, problems);
        problems.throwIfAny();
        try (var interrupt = new Interrupt()) {
            Compared result = measured(a, b, settings, interrupt, out, err);
            return interrupt.isSet() ? Interrupt.EXIT_CODE : exitCode(result);
        }
    }

    private Compared measured(
            Variant a,
            Variant b,
            Settings settings,
            Interrupt interrupt,
            PrintWriter out,
            PrintWriter err)
            throws IOException, InterruptedException {
        Path folder = OutputFolder.create(output.out(), "compare");
        Instant startedAt = Instant.now();
        var view = new LiveView(err, output);
        view.say(
                "comparing for at most "
                        + Durations.format(settings.budget())
                        + "; it ends as soon as "
                        + settings.primary().title()
                        + " is decided, after three starts of each at the earliest");
        // Held until the result is stored: no other jdyno begins in this folder.
        try (var agents = new AgentServices(b.plan().name());
                var kept =
                        RoundLines.begin(
                                folder,
                                Kind.COMPARE,
                                b.plan().name(),
                                keeping.origin(startedAt, typed(), folder, around()),
                                view)) {
            var service = new LiveService(agents);
            Compared measured =
                    new Comparison(
                                    a,
                                    b,
                                    settings,
                                    service,
                                    new Session(folder, kept, interrupt::isSet),
                                    new SplittableRandom(System.nanoTime()))
                            .run((soFar, each, max) ->
                                    view.say(
                                            CompareText.progress(
                                                    soFar, each, max, settings.budget())));
            Compared explained =
                    skipDiagnosis || measured.partial() || !measured.differs()
                            ? measured
                            : new CompareDiagnosis(
                                            settings,
                                            service,
                                            new Session(folder, view, interrupt::isSet))
                                    .into(a, b, measured);
            Compared result =
                    Stream.<Note>concat(
                                    exceeded(measured, settings),
                                    agents.doubts().stream().map(Note.Observed::new))
                            .reduce(explained, Compared::noting, (_, last) -> last);
            write(result, b.plan().name(), folder);
            view.say("");
            print(result, out);
            if (!output.json && !markdown) {
                out.println(
                        "Files  " + folder + " (report.html, compare.json, compare.md, junit.xml)");
            }
            out.flush();
            keeping.keep(
                    startedAt,
                    typed(),
                    Optional.of(folder),
                    around(),
                    err,
                    origin -> Entries.of(result, b.plan().name(), agents.machine(), origin));
            return result;
        }
    }

    /// The note that the minimum number of starts took longer than the budget.
    private static Stream<Note> exceeded(Compared measured, Settings settings) {
        boolean longer = measured.seconds() > Durations.seconds(settings.budget());
        return longer
                        && measured.restarted()
                        && measured.starts() <= settings.minStarts()
                        && !measured.partial()
                ? Stream.of(
                        new Note.BudgetExceeded(
                                measured.starts(), settings.budget(), measured.seconds()))
                : Stream.empty();
    }

    private String typed() {
        return OptionTexts.typed(spec);
    }

    private Path around() {
        return KeepOptions.around(files.isEmpty() ? null : files.getFirst().toString());
    }

    private Compared stored(Settings settings, PrintWriter out) throws IOException {
        RunResult of = ResultJson.read(files.get(0));
        Compared result =
                Stored.compared(
                        of,
                        ResultJson.read(files.get(1)),
                        settings.primary(),
                        settings.minEffect(),
                        metric -> keeping.drift(of, metric));
        print(result, out);
        if (output.out().isPresent()) {
            Path folder = OutputFolder.create(output.out(), "compare");
            write(result, "stored results", folder);
            if (!output.json && !markdown) {
                out.println(
                        "Files  " + folder + " (report.html, compare.json, compare.md, junit.xml)");
                out.flush();
            }
        }
        return result;
    }

    private static void write(Compared result, String name, Path folder) throws IOException {
        PrivateFiles.write(folder.resolve("compare.json"), CompareReport.json(result) + "\n");
        PrivateFiles.write(folder.resolve("compare.md"), CompareReport.markdown(result));
        PrivateFiles.write(folder.resolve("junit.xml"), CompareReport.junit(result, name));
        HtmlReport.write(result, Version.text(), folder.resolve("report.html"));
    }

    private void print(Compared result, PrintWriter out) {
        if (output.json) {
            out.println(CompareReport.json(result));
        } else {
            out.print(markdown ? CompareReport.markdown(result) : CompareReport.terminal(result));
        }
        out.flush();
    }

    private static int exitCode(Compared result) {
        return switch (result.verdict()) {
            case BETTER, EQUIVALENT -> 0;
            case WORSE -> WORSE;
            case INCONCLUSIVE -> UserError.Kind.INVALID.exitCode();
        };
    }

    private boolean areResults() {
        return files.size() == 2 && files.stream().allMatch(f -> f.toString().endsWith(".json"));
    }

    private Settings settings(Problems problems) {
        Metric metric =
                primary == null
                        ? Metric.QPS
                        : Stream.of(Metric.values())
                                .filter(m -> m.key().equals(primary) && m != Metric.ERRORS)
                                .filter(m -> m.load() != Metric.Load.UNDER_GOAL)
                                .findFirst()
                                .orElseGet(() -> {
                                    problems.add(
                                            "--primary " + primary,
                                            "there is no such figure",
                                            "write qps, p50, p99, cpuMsPerRequest,"
                                                    + " allocBytesPerRequest, gcMsPerS, or with"
                                                    + " --drive driverP50 or driverP99");
                                    return Metric.QPS;
                                });
        OptionTexts.within("--concurrency", concurrency, 1, Integer.MAX_VALUE, "16", problems);
        if (rate != null && !(rate > 0 && Double.isFinite(rate))) {
            problems.add("--rate", rate + " is no rate above 0", "write 200");
        }
        Optional<Goal> wanted = OptionTexts.percentileGoal(goal, problems);
        if (goal != null && (primary != null || rate != null)) {
            problems.add(
                    "--goal",
                    "its rate is the primary figure, and is searched",
                    "leave --primary and --rate out");
        }
        return new Settings(
                wanted.isPresent() ? Metric.GOAL_RATE : metric,
                pace.minEffect(problems).orElse(Settings.DEFAULT.minEffect()),
                pace.budget(problems),
                pace.block(problems),
                pace.warmup(problems),
                concurrency == null ? OptionalInt.empty() : OptionalInt.of(concurrency),
                rate == null ? OptionalDouble.empty() : OptionalDouble.of(rate),
                wanted,
                Settings.DEFAULT.minStarts(),
                Settings.DEFAULT.maxStarts(),
                wanted.isPresent()
                        ? Set.of(Metric.Load.SATURATED, Metric.Load.UNDER_GOAL)
                        : Settings.DEFAULT.loads());
    }

    private Variant variantA(Problems problems) {
        Optional<Plan> plan =
                files.isEmpty() ? Optional.empty() : Optional.of(planned(files.get(0)));
        Plan base =
                plan.map(p -> url.of(problems).map(p::withUrl).orElse(p))
                        .orElseGet(() -> bare(problems));
        return new Variant(
                CompareTarget.of(
                        base.withDrive(drive.over(base, false, problems)),
                        "a",
                        commandA,
                        pidA,
                        plan.isPresent(),
                        address(),
                        away,
                        problems),
                List.of());
    }

    /// The URL as given. Without one, it is the load tool's for a service that jdyno starts.
    private Optional<String> address() {
        return url.given()
                .or(() -> commandA == null ? Optional.empty() : drive.url(Optional.empty()));
    }

    private Plan bare(Problems problems) {
        if (address().isEmpty()) {
            problems.add("--url", "missing", "give a plan file, or a URL with --a or --pid-a");
        }
        return Plan.of(
                "compare",
                address()
                        .map(text -> TargetOptions.Url.parse("--url", text, true, problems))
                        .orElse(TargetOptions.Url.MISSING),
                new Plan.TargetPlan.None());
    }

    private static Plan planned(Path file) {
        return PlanFile.read(file, OptionTexts.ENVIRONMENT).runnable().onThisHost("jdyno compare");
    }

    private Variant variantB(Variant a, Problems problems) {
        boolean ownFile = files.size() == 2;
        Plan own = ownFile ? planned(files.get(1)) : a.plan();
        Plan base = own.withDrive(ownFile ? drive.over(own, false, problems) : own.drive());
        Plan reached =
                urlB != null
                        ? base.withUrl(TargetOptions.Url.parse("--url-b", urlB, true, problems))
                        : ownFile ? url.of(problems).map(base::withUrl).orElse(base) : base;
        boolean launchesA = a.plan().target() instanceof Plan.TargetPlan.Launch;
        Plan plan =
                CompareTarget.of(
                        reached,
                        "b",
                        commandB,
                        pidB,
                        launchesA || ownFile,
                        Optional.ofNullable(urlB).or(this::address),
                        away,
                        problems);
        away.check(url.given(), Optional.ofNullable(urlB), a.plan().url(), problems);
        away.refuseFlags(flagsB, problems);
        away.refuseDrive(plan.drive().isPresent(), problems);
        List<String> flags = flagsB == null ? List.of() : List.of(flagsB.trim().split("\\s+"));
        if (!flags.isEmpty()
                && !away.isGiven()
                && !(plan.target() instanceof Plan.TargetPlan.Launch)) {
            problems.add(
                    "--flags-b",
                    "B is not started by jdyno, so it cannot get flags",
                    "give a plan with launch, or --a COMMAND");
        }
        if (pidA != null && pidB != null && urlB == null && !ownFile) {
            problems.add(
                    "--url-b",
                    "two running JVMs and one URL are given",
                    "give the URL of B, too: they listen at different ports");
        }
        boolean same =
                !ownFile && commandB == null && pidB == null && flags.isEmpty() && urlB == null;
        if (same) {
            problems.add(
                    "B",
                    "it does not differ from A",
                    "give a second plan, --b COMMAND, --flags-b FLAGS or --pid-b PID");
        }
        var b = new Variant(plan, flags);
        CompareTarget.requireHeap(b, problems);
        return files.isEmpty() ? CompareTarget.named(b) : b;
    }
}
