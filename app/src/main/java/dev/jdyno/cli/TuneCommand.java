package dev.jdyno.cli;

import dev.jdyno.cli.options.AimOption;
import dev.jdyno.cli.options.KeepOptions;
import dev.jdyno.cli.options.OptionTexts;
import dev.jdyno.cli.options.OutputFolder;
import dev.jdyno.cli.options.PaceOptions;
import dev.jdyno.cli.options.TargetOptions;
import dev.jdyno.cli.terminal.Interrupt;
import dev.jdyno.cli.terminal.OutputOptions;
import dev.jdyno.compare.Metric;
import dev.jdyno.diagnose.Recommendations;
import dev.jdyno.files.PrivateFiles;
import dev.jdyno.history.Entries;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Drive;
import dev.jdyno.plan.Plan;
import dev.jdyno.plan.PlanFile;
import dev.jdyno.plan.PlanText;
import dev.jdyno.tune.PoolSettings;
import dev.jdyno.tune.TuneSettings;
import dev.jdyno.tune.Tuned;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
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
        name = "tune",
        mixinStandardHelpOptions = true,
        description = {
            "Try settings against what limits a service and keep only those with a proved gain.",
            "",
            "Finds what limits the service, tries what is a setting, proves the gain, and again"
                    + " until nothing helps. The service is started by jdyno, over and over; its own"
                    + " files are not touched."
        },
        footer = {
            "",
            "Examples:",
            "  jdyno tune --url http://127.0.0.1:{port}/ \\",
            "      --launch 'java -jar app.jar --server.port={port}'",
            "  jdyno tune plan.yaml --budget 60m --goal 'p99<100ms'",
            "  jdyno tune plan.yaml --dry-run",
            "  go on after an interruption:",
            "    jdyno tune --resume jdyno-out/20261127-101500-shop",
        })
final class TuneCommand implements Callable<Integer> {
    @Parameters(
            arity = "0..1",
            paramLabel = "PLAN.yaml",
            description =
                    "The plan, with target: {launch: ...} and, if there are any, knobs:. Without one:"
                            + " --url and --launch.")
    private @Nullable Path file;

    private static final Duration MIN_TIME = Duration.ofSeconds(1);

    @Mixin private TargetOptions.Url url = new TargetOptions.Url();

    @Mixin private TargetOptions.Launch launch = new TargetOptions.Launch();

    @Mixin
    private PaceOptions pace =
            new PaceOptions(
                    new PaceOptions.Time(TuneSettings.DEFAULT.budget(), MIN_TIME),
                    new PaceOptions.Time(TuneSettings.DEFAULT.block(), MIN_TIME),
                    new PaceOptions.Time(TuneSettings.DEFAULT.warmup(), MIN_TIME),
                    "60m; it ends as soon as nothing helps",
                    "3%");

    @Mixin private AimOption improving = new AimOption();

    @Option(
            names = "--goal",
            paramLabel = "GOAL",
            description =
                    "What must hold at a fixed rate, such as p99<100ms; what breaks it is not"
                            + " taken.")
    private @Nullable String goal;

    @Option(
            names = "--keep-heap",
            description = "Leave the heap as large as it is: no larger one is tried.")
    private boolean keepHeap;

    @Option(
            names = "--pools",
            paramLabel = "FILE",
            description =
                    "Which properties set the sizes of your pools: a YAML list of {pool: part of"
                            + " its name, property: its.size}.")
    private @Nullable Path pools;

    @Option(
            names = "--resume",
            paramLabel = "DIR",
            description =
                    "Go on with an interrupted tuning; what it measured is not measured again.")
    private @Nullable Path resume;

    @Option(
            names = "--dry-run",
            description = "Measure the service as it is, and print what would be tried.")
    private boolean dryRun;

    @Mixin private KeepOptions keeping = new KeepOptions();

    @Mixin private OutputOptions output = new OutputOptions();

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        var problems = Problems.ofCommand("jdyno tune");
        TuneSettings settings = settings(problems);
        Plan plan = plan(problems);
        if (plan.drive().isPresent() && settings.needsRate()) {
            problems.add(
                    settings.goal().isPresent() ? "--goal" : "--improve rt",
                    "the plan has drive:, and a load tool takes a number of users, no rate",
                    "leave it out to improve throughput, or drive: to let jdyno send the load");
        }
        requireOnePort(plan, problems);
        problems.throwIfAny();
        PoolSettings known = PoolSettings.read(Optional.ofNullable(pools));
        try (var interrupt = new Interrupt()) {
            Path folder =
                    resume != null
                            ? OutputFolder.open(resume)
                            : OutputFolder.create(output.out(), plan.name());
            if (resume == null) {
                PrivateFiles.write(folder.resolve("plan.yaml"), PlanText.of(plan));
                settings.write(folder);
            }
            Instant startedAt = Instant.now();
            var run = new TuneRun(output, out, err, interrupt);
            if (dryRun) {
                run.preview(plan, settings, known, folder);
                return interrupt.isSet() ? Interrupt.EXIT_CODE : 0;
            }
            Tuned result = run.tuned(plan, settings, known, folder);
            keeping.keep(
                    startedAt,
                    OptionTexts.typed(spec),
                    Optional.of(folder),
                    KeepOptions.around(file == null ? null : file.toString()),
                    err,
                    origin -> Entries.of(result, plan.name(), origin));
            if (interrupt.isSet()) {
                return Interrupt.EXIT_CODE;
            }
            return result.partial() ? UserError.Kind.INVALID.exitCode() : 0;
        }
    }

    /// Adds a mistake if candidates would run at once and all requests pass through one port.
    private static void requireOnePort(Plan plan, Problems problems) {
        boolean atOnce =
                plan.target() instanceof Plan.TargetPlan.Launch(String command)
                        && command.contains(Plan.PORT);
        if (atOnce && plan.drive().flatMap(Drive::through).isPresent()) {
            problems.add(
                    "drive",
                    "a candidate runs beside the service as it is, and through: is one port for"
                            + " both",
                    "leave through: out, or write a fixed port for {port}");
        }
    }

    private Plan plan(Problems problems) {
        if (resume != null) {
            return resumed(problems);
        }
        Plan plan = file != null ? ofFile(file, problems) : bare(problems);
        if (!(plan.target() instanceof Plan.TargetPlan.Launch) && problems.isEmpty()) {
            problems.add(
                    "target",
                    "a service that runs already is not started with other settings",
                    "write target: {launch: \"java ... {port}\"} in the plan");
        }
        return plan;
    }

    private Plan ofFile(Path given, Problems problems) {
        if (url.given().isPresent() || launch.command().isPresent()) {
            problems.add(
                    "--url, --launch",
                    "they are given beside a plan",
                    "write them into the plan, or leave the plan out");
        }
        return PlanFile.read(given, OptionTexts.ENVIRONMENT).onThisHost("jdyno tune");
    }

    private Plan bare(Problems problems) {
        if (url.given().isEmpty() || launch.command().isEmpty()) {
            problems.add(
                    url.given().isEmpty() ? "--url" : "--launch",
                    "missing",
                    "give a plan file, or --url URL --launch 'java ... {port}'");
        }
        launch.command()
                .ifPresent(
                        c -> TargetOptions.Url.requirePort("--launch", c, url.given(), problems));
        return Plan.of(
                ServiceName.of(launch.target()).orElse("tune"),
                url.of(problems).orElse(TargetOptions.Url.MISSING),
                launch.target());
    }

    private Plan resumed(Problems problems) {
        Path folder = Objects.requireNonNull(resume);
        if (file != null || url.given().isPresent() || launch.command().isPresent()) {
            problems.add(
                    "--resume",
                    "a plan is given beside it",
                    "the plan is in " + folder + ": give --resume alone");
        }
        Path plan = folder.resolve("plan.yaml");
        if (!Files.isRegularFile(plan)) {
            throw UserError.usage(
                    "cannot go on in " + folder,
                    "there is no plan.yaml of a tuning",
                    "give the folder that `jdyno tune` named at its end");
        }
        return PlanFile.read(plan, OptionTexts.ENVIRONMENT);
    }

    private TuneSettings settings(Problems problems) {
        var preset = TuneSettings.DEFAULT;
        var asked =
                new TuneSettings(
                        improving.aim(problems) == Recommendations.Aim.RT ? Metric.P50 : Metric.QPS,
                        OptionTexts.percentileGoal(goal, problems),
                        pace.budget(problems),
                        pace.block(problems),
                        pace.warmup(problems),
                        pace.minEffect(problems).orElse(preset.minEffect()),
                        keepHeap);
        if (resume != null) {
            return goneOnWith(resume, asked, problems);
        }
        if (!dryRun) {
            TuneRun.requireTime(
                    asked,
                    "give --budget 60m, or shorter blocks (--block 2s --warmup 3s)",
                    problems);
        }
        return asked;
    }

    /// The settings with which the tuning began. With other settings, new and earlier measurements
    /// would not be comparable. Only the budget may differ.
    private TuneSettings goneOnWith(Path folder, TuneSettings asked, Problems problems) {
        OptionTexts.refuse(
                spec,
                List.of(
                        "--block",
                        "--goal",
                        "--improve",
                        "--keep-heap",
                        "--min-effect",
                        "--warmup"),
                "it is given beside --resume, which goes on as it was begun",
                "leave it out, or begin anew without --resume",
                problems);
        if (!problems.isEmpty() || !Files.isRegularFile(folder.resolve("plan.yaml"))) {
            return asked; // the mistakes are named, or the plan's own check names them
        }
        TuneSettings begun = TuneSettings.read(folder);
        return pace.hasBudget() ? begun.within(asked.budget()) : begun;
    }
}
