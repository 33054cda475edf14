package dev.jdyno.cli.guard;

import dev.jdyno.cli.options.KeepOptions;
import dev.jdyno.cli.options.LabelOption;
import dev.jdyno.cli.options.OptionTexts;
import dev.jdyno.cli.options.PaceOptions;
import dev.jdyno.cli.options.StoreOption;
import dev.jdyno.cli.terminal.Interrupt;
import dev.jdyno.cli.terminal.OutputOptions;
import dev.jdyno.guard.BisectSettings;
import dev.jdyno.guard.Bisected;
import dev.jdyno.guard.GuardSettings;
import dev.jdyno.guard.Guarded;
import dev.jdyno.guard.PinnedGuarding;
import dev.jdyno.history.Entry;
import dev.jdyno.history.Filter;
import dev.jdyno.history.History;
import dev.jdyno.history.Kind;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Drive;
import dev.jdyno.plan.Plan;
import dev.jdyno.plan.PlanFile;
import dev.jdyno.report.SeriesReport;
import dev.jdyno.series.Judgement;
import dev.jdyno.series.file.SeriesFile;
import java.io.IOException;
import java.io.PrintWriter;
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

/// Checks whether a service, or a series of figures from elsewhere, has become worse.
@Command(
        name = "guard",
        mixinStandardHelpOptions = true,
        description = {
            "Decide whether a service has become worse than on the days before.",
            "",
            "Measures it in the same way each day, or in turns with a pinned build ('reference' in"
                    + " the plan), judges each figure, names what grew, and stores all. Exit code 0:"
                    + " not worse, 4: worse, 3: it cannot tell (fewer than four earlier days, too much"
                    + " noise), 1: the service failed, 2: wrong usage. With --series: judge a series"
                    + " of figures from anywhere. With --bisect: find the commit that made it worse."
        },
        footer = {
            "",
            "Examples:",
            "  jdyno guard shop.yaml",
            "  jdyno guard shop.yaml --accept 'the new parser is slower and right'",
            "  jdyno guard shop.yaml --bisect v1.4..main",
            "  jdyno guard --series latency.csv --lower-is-better",
            "  jdyno guard --series bench.csv --column ops_per_s --json",
        })
public final class GuardCommand implements Callable<Integer> {
    private static final int REGRESSION = 4;

    /// Options that concern days and stored results.
    private static final List<String> OF_DAYS =
            List.of(
                    "--accept",
                    "--branch",
                    "--label",
                    "--markdown",
                    "--since",
                    "--starts",
                    "--store");

    private static final int MAX_STARTS = 50;
    private static final Duration MIN_TIME = Duration.ofSeconds(2);

    @Parameters(
            arity = "0..1",
            paramLabel = "PLAN.yaml",
            description = "The service; its plan must launch it.")
    private @Nullable Path plan;

    @Option(
            names = "--accept",
            paramLabel = "REASON",
            description =
                    "Measure nothing: the figures of this plan's last guard are normal from now on. REASON"
                            + " is kept in the history.")
    private @Nullable String accept;

    @Option(
            names = "--since",
            paramLabel = "DAY|TIME",
            description = "Compare with days since then only.")
    private @Nullable String since;

    @Option(
            names = "--branch",
            paramLabel = "NAME",
            description = "Compare with days of this branch only, such as main.")
    private @Nullable String branch;

    @Option(
            names = "--starts",
            paramLabel = "N",
            description = "Starts of each build in a measurement (default 3).")
    private @Nullable Integer starts;

    @Mixin
    private PaceOptions pace =
            new PaceOptions(
                    new PaceOptions.Time(GuardSettings.PINNED_BUDGET, MIN_TIME),
                    new PaceOptions.Time(GuardSettings.DEFAULT.block(), MIN_TIME),
                    new PaceOptions.Time(GuardSettings.DEFAULT.warmup(), MIN_TIME),
                    "20m with a pinned build, without one no limit; with --bisect 45m for all"
                            + " measuring, without builds",
                    "3% of CPU and allocation, 5% of throughput and p50, 10% of p99 and GC; with"
                            + " --series any");

    @Mixin private LabelOption label = new LabelOption();

    @Option(names = "--markdown", description = "Print a table for a pull request.")
    private boolean markdown;

    @Mixin private StoreOption store = new StoreOption();

    @Option(
            names = "--series",
            paramLabel = "FILE.csv|FILE.json",
            description = "Figures in the order of time: a CSV file, or a JSON list of numbers.")
    private @Nullable Path series;

    @Option(
            names = "--column",
            paramLabel = "NAME|N",
            description =
                    "With --series: column of the CSV file, by name or by number from 1 (default: the"
                            + " last one with numbers).")
    private @Nullable String column;

    @Option(
            names = "--lower-is-better",
            description =
                    "With --series: lower values are better, such as for a response time (default:"
                            + " higher ones are).")
    private boolean lowerIsBetter;

    @Mixin private BisectOptions bisecting = new BisectOptions();

    @Mixin private OutputOptions output = new OutputOptions();

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        var problems = Problems.ofCommand("jdyno guard");
        if (plan == null && series == null) {
            problems.add(
                    "PLAN.yaml | --series",
                    "neither is given",
                    "give a plan, or a series of numbers");
        } else if (plan != null && series != null) {
            problems.add(
                    plan + " and --series", "both are given", "guard a plan or a series, not both");
        }
        Optional<Double> effect = pace.minEffect(problems);
        Optional<BisectRun.Range> range = bisecting.range(problems);
        Optional<Double> confidence = bisecting.confidence(problems);
        if (series != null && range.isPresent()) {
            problems.add("--bisect", "a series has no commits to build", "give a plan");
        }
        if (series != null) {
            problems.throwIfAny();
            return series(series, effect.orElse(0.0));
        }
        GuardSettings settings = settings(effect, problems);
        if (range.isPresent()) {
            OptionTexts.refuse(
                    spec,
                    OF_DAYS,
                    "it is given together with --bisect, which keeps no history",
                    "leave it out",
                    problems);
        }
        problems.throwIfAny();
        Path file = Objects.requireNonNull(plan);
        Plan guarded = PlanFile.read(file, OptionTexts.ENVIRONMENT).onThisHost("jdyno guard");
        if (accept != null) {
            return accept(guarded.name(), accept);
        }
        if (!(guarded.target() instanceof Plan.TargetPlan.Launch)) {
            throw UserError.usage(
                    file + " launches no service",
                    "each day needs fresh starts of it",
                    "write target: {launch: \"java -jar app.jar --port {port}\"}");
        }
        if (range.isPresent()) {
            Drive.refuse(guarded, "jdyno guard --bisect");
            BisectSettings preset = BisectSettings.DEFAULT;
            return bisected(
                    guarded,
                    new BisectSettings(
                            confidence.orElse(preset.confidence()),
                            settings.budget().orElse(preset.budget()),
                            settings.block(),
                            settings.warmup(),
                            settings.minEffect()),
                    range.get(),
                    file);
        }
        requireOneAtATime(guarded, file);
        requireTime(guarded, settings);
        return guarded(guarded, settings, file);
    }

    /// @throws UserError if both builds run at once and all requests pass through one port
    private static void requireOneAtATime(Plan plan, Path file) {
        boolean atOnce = plan.reference().filter(c -> c.contains(Plan.PORT)).isPresent();
        if (atOnce && plan.drive().flatMap(Drive::through).isPresent()) {
            throw UserError.usage(
                    file + " cannot be guarded",
                    "both builds run at once, and through: is one port for both",
                    "leave through: out, or write a fixed port for {port}");
        }
    }

    /// @throws UserError if the budget is too short for one comparison with the pinned build
    private static void requireTime(Plan plan, GuardSettings settings) {
        Duration least = PinnedGuarding.least(plan, settings).plusSeconds(1);
        Duration budget = settings.budget().orElse(GuardSettings.PINNED_BUDGET);
        if (plan.reference().isPresent() && budget.compareTo(least) < 0) {
            throw UserError.usage(
                    (settings.budget().isPresent() ? "--budget " : "the budget of ")
                            + Durations.format(budget)
                            + " is too short",
                    PinnedGuarding.MIN_STARTS
                            + " starts of each build and a diagnosis take at least "
                            + Durations.format(Duration.ofSeconds(least.toSeconds()))
                            + ", even if the service starts and is warm at once",
                    "give --budget "
                            + Durations.format(Duration.ofMinutes(least.toMinutes() + 1))
                            + " or more, or shorter blocks (--block 2s)");
        }
    }

    private int bisected(Plan plan, BisectSettings settings, BisectRun.Range range, Path file)
            throws IOException, InterruptedException {
        try (var interrupt = new Interrupt()) {
            Bisected result =
                    new BisectRun(
                                    output,
                                    spec.commandLine().getOut(),
                                    spec.commandLine().getErr(),
                                    interrupt)
                            .run(
                                    plan,
                                    settings,
                                    range,
                                    KeepOptions.around(file.toString()),
                                    bisecting.resume(),
                                    OptionTexts.typed(spec));
            if (interrupt.isSet()) {
                return Interrupt.EXIT_CODE;
            }
            return switch (result.verdict()) {
                case NOT_WORSE -> 0;
                case FOUND -> REGRESSION;
                case UNCLEAR -> UserError.Kind.INVALID.exitCode();
            };
        }
    }

    private int guarded(Plan guarded, GuardSettings settings, Path file)
            throws IOException, InterruptedException {
        try (var interrupt = new Interrupt()) {
            Guarded result =
                    new GuardRun(
                                    output,
                                    store,
                                    spec.commandLine().getOut(),
                                    spec.commandLine().getErr(),
                                    interrupt)
                            .run(
                                    guarded,
                                    settings,
                                    markdown,
                                    OptionTexts.typed(spec),
                                    label.label(),
                                    KeepOptions.around(file.toString()));
            if (interrupt.isSet()) {
                return Interrupt.EXIT_CODE;
            }
            return switch (result.verdict()) {
                case OK -> 0;
                case REGRESSION -> REGRESSION;
                case UNCLEAR -> UserError.Kind.INVALID.exitCode();
            };
        }
    }

    private int accept(String name, String reason) {
        History history = store.open();
        List<Entry> last = history.list(Filter.ALL.ofPlan(name).ofKind(Kind.GUARD).newest(1));
        if (last.isEmpty()) {
            throw UserError.usage(
                    "nothing of " + name + " can be accepted",
                    "it was never guarded, as far as " + history.where() + " knows",
                    "run jdyno guard " + plan + " first");
        }
        history.accept(last.getFirst().id(), Instant.now(), reason);
        PrintWriter out = spec.commandLine().getOut();
        out.println(name + ": what " + last.getFirst().id() + " measured is usual from now on");
        out.flush();
        return 0;
    }

    private GuardSettings settings(Optional<Double> effect, Problems problems) {
        GuardSettings preset = GuardSettings.DEFAULT;
        OptionTexts.within("--starts", starts, 1, MAX_STARTS, "3", problems);
        return new GuardSettings(
                starts == null ? preset.starts() : starts,
                pace.block(problems),
                pace.warmup(problems),
                Optional.of(pace.budget(problems)).filter(_ -> pace.hasBudget()),
                effect.orElse(preset.minEffect()),
                Optional.ofNullable(branch),
                Optional.ofNullable(since)
                        .flatMap(t -> OptionTexts.dayOrAgo("--since", t, problems)));
    }

    private int series(Path file, double effect) {
        Judgement judged =
                Judgement.of(
                        SeriesFile.read(file, Optional.ofNullable(column)), lowerIsBetter, effect);
        PrintWriter out = spec.commandLine().getOut();
        if (output.json) {
            out.println(SeriesReport.json(judged));
        } else {
            out.print(SeriesReport.terminal(judged));
        }
        out.flush();
        return switch (judged.verdict()) {
            case OK -> 0;
            case REGRESSION -> REGRESSION;
            case UNCLEAR -> UserError.Kind.INVALID.exitCode();
        };
    }
}
