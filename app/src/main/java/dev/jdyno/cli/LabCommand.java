package dev.jdyno.cli;

import dev.jdyno.cli.options.OptionTexts;
import dev.jdyno.cli.options.OutputFolder;
import dev.jdyno.cli.options.PaceOptions;
import dev.jdyno.cli.terminal.Interrupt;
import dev.jdyno.cli.terminal.LiveView;
import dev.jdyno.cli.terminal.OutputOptions;
import dev.jdyno.experiment.Bench;
import dev.jdyno.experiment.Comparison;
import dev.jdyno.experiment.Experiment;
import dev.jdyno.experiment.Predictions;
import dev.jdyno.experiment.Published;
import dev.jdyno.experiment.Tunable;
import dev.jdyno.experiment.form.ComparisonReport;
import dev.jdyno.experiment.lab.Lab;
import dev.jdyno.experiment.labelled.KeptCase;
import dev.jdyno.experiment.labelled.Labelled;
import dev.jdyno.experiment.labelled.LabelledBench;
import dev.jdyno.files.PrivateFiles;
import dev.jdyno.judge.Judge;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.plan.Plan;
import dev.jdyno.plan.PlanText;
import dev.jdyno.tune.Measured;
import dev.jdyno.tune.PoolSettings;
import dev.jdyno.tune.TuneSettings;
import dev.jdyno.tune.Tuned;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
        name = "lab",
        mixinStandardHelpOptions = true,
        description = {
            "Run a published experiment here; print published and measured figures side by side.",
            "Without a name: list them all. 'bottlenecks' runs the labelled benchmark, 'whatif' all",
            "experiments that check a prediction, with the median error."
        },
        footer = {"", "Example:", "  jdyno lab E1"})
final class LabCommand implements Callable<Integer> {
    /// Warm-up of the experiments that are tuned: small services for which many candidates are
    /// tried.
    private static final Duration TUNE_WARM_UP = Duration.ofSeconds(6);

    @Parameters(
            arity = "0..1",
            paramLabel = "NAME",
            description = {
                "E1 … E26; all: all of them, on one page of Markdown;",
                "bottlenecks: plant every bottleneck, ask for its name;",
                "whatif: predicted beside measured over E1, E3, E11, E12 and E13."
            })
    private @Nullable String name;

    @Option(
            names = "--case",
            split = ",",
            paramLabel = "NAME",
            description = "bottlenecks: only these cases; whatif: only these experiments.")
    private List<String> cases = List.of();

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "bottlenecks: draws the cases' parameters (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(
            names = "--jdk",
            paramLabel = "N",
            description = "bottlenecks: run the services on this JDK (default: the one of jdyno).")
    private int jdk = Runtime.version().feature();

    @Option(
            names = "--short",
            description =
                    "bottlenecks: one clear case of each; exit code 3 unless all are named right.")
    private boolean clearOnly;

    @Option(
            names = "--tune",
            description = {
                "E9, E10, E11, E21: give the launch command and the knobs to `jdyno tune`",
                "instead, and see what it finds."
            })
    private boolean tune;

    @Mixin
    private PaceOptions.Budget budget =
            new PaceOptions.Budget(
                    "with --tune 60m; with all no limit, and no other experiment is begun after so"
                            + " long");

    @Option(
            names = "--keep",
            paramLabel = "DIR",
            description = "bottlenecks: keep what was measured there, a file for each case.")
    private @Nullable Path keep;

    @Option(
            names = "--again",
            paramLabel = "DIR",
            description = "bottlenecks: judge again what was kept there; nothing is run.")
    private @Nullable Path again;

    @Option(names = "--quick", description = "all: rounds and warm-ups last half as long.")
    private boolean quick;

    @Option(
            names = "--resume",
            paramLabel = "DIR",
            description =
                    "all: go on with an interrupted run; what is done there is not run again.")
    private @Nullable Path resume;

    @Option(
            names = "--only",
            paramLabel = "LIST",
            description = {
                "all: run only these, such as E1,E4-E8. The page also shows what",
                "the folder of --resume has of the others."
            })
    private @Nullable String only;

    @Mixin private OutputOptions output = new OutputOptions();

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        if (name == null) {
            out.print(ComparisonReport.catalogue(Published.all(), output.json));
            out.flush();
            return 0;
        }
        if (name.equals("bottlenecks")) {
            return bottlenecks(out);
        }
        if (name.equals("all")) {
            return new LabAll(
                            output,
                            Optional.ofNullable(resume),
                            LabAll.extent(Optional.ofNullable(only), budget.given(), quick),
                            OptionTexts.typed(spec))
                    .run(out, spec.commandLine().getErr());
        }
        refuseOptionsOfAll();
        Experiment experiment =
                name.equals(Predictions.ID) ? Predictions.all().only(cases) : published(name);
        Optional<TuneSettings> tuning =
                tune ? Optional.of(tuneSettings(tunable(experiment))) : Optional.empty();
        var view = new LiveView(spec.commandLine().getErr(), output);
        try (Interrupt interrupt = new Interrupt();
                Lab lab =
                        Lab.open(
                                DemoCommand.LabJarProperty.get(),
                                Path.of(System.getProperty("java.home")))) {
            if (tuning.isPresent()) {
                return tuned(tunable(experiment), tuning.get(), lab, interrupt, out);
            }
            Path folder = OutputFolder.create(output.out(), "lab-" + experiment.id());
            var bench = new Bench(lab, folder, view, NanoClock.SYSTEM, interrupt::isSet);
            Optional<Comparison> done = run(experiment, bench, interrupt);
            view.say("");
            done.ifPresent(c -> out.print(ComparisonReport.of(c, output.json)));
            out.flush();
            return done.map(c -> c.holds() ? 0 : UserError.Kind.INVALID.exitCode())
                    .orElse(Interrupt.EXIT_CODE);
        }
    }

    private void refuseOptionsOfAll() {
        var problems = Problems.ofCommand("jdyno lab");
        OptionTexts.refuse(
                spec,
                List.of("--only", "--quick", "--resume"),
                "belongs to 'all', and " + name + " is run",
                "leave it out, or write jdyno lab all",
                problems);
        problems.throwIfAny();
    }

    private static Tunable tunable(Experiment experiment) {
        if (experiment instanceof Tunable tunable) {
            return tunable;
        }
        throw UserError.usage(
                "experiment " + experiment.id() + " is not there to be tuned",
                "only E9, E10, E11 and E21 have a service with settings to find",
                "write jdyno lab E10 --tune");
    }

    private TuneSettings tuneSettings(Tunable experiment) {
        var problems = Problems.ofCommand("jdyno lab");
        Duration wanted =
                OptionTexts.optional(
                                "--budget", budget.given().orElse(null), Durations::parse, problems)
                        .orElse(TuneSettings.DEFAULT.budget());
        TuneSettings settings =
                TuneSettings.DEFAULT
                        .within(wanted)
                        .warmingUp(TUNE_WARM_UP)
                        .keepingHeap(experiment.keepsHeap());
        TuneRun.requireTime(settings, "give --budget 60m", problems);
        problems.throwIfAny();
        return settings;
    }

    private int tuned(
            Tunable experiment,
            TuneSettings settings,
            Lab lab,
            Interrupt interrupt,
            PrintWriter out)
            throws Exception {
        Plan plan = experiment.plan(lab);
        Path folder = OutputFolder.create(output.out(), plan.name());
        PrivateFiles.write(folder.resolve("plan.yaml"), PlanText.of(plan));
        settings.write(folder);
        Tuned result =
                new TuneRun(output, out, spec.commandLine().getErr(), interrupt)
                        .tuned(plan, settings, PoolSettings.read(Optional.empty()), folder);
        if (interrupt.isSet()) {
            return Interrupt.EXIT_CODE;
        }
        Comparison judged = experiment.result(found(result.changes(), result.confirmed()));
        out.print(ComparisonReport.of(judged, output.json));
        out.flush();
        return judged.holds() ? 0 : UserError.Kind.INVALID.exitCode();
    }

    /// Published gains are of throughput, whichever figure decided.
    static Tunable.Found found(List<Change.Launch> changes, Optional<Measured> confirmed) {
        return new Tunable.Found(
                changes,
                confirmed.flatMap(Measured::throughputRatio),
                confirmed.flatMap(Measured::throughputInterval),
                confirmed.flatMap(Measured::cpuGain));
    }

    private Integer bottlenecks(PrintWriter out) throws Exception {
        if (again != null) {
            out.print(
                    ComparisonReport.of(
                            LabelledBench.again(KeptCase.allIn(again), Judge::verdict),
                            output.json));
            out.flush();
            return 0;
        }
        var view = new LiveView(spec.commandLine().getErr(), output);
        try (var interrupt = new Interrupt();
                Lab lab =
                        Lab.open(
                                DemoCommand.LabJarProperty.get(),
                                Path.of(System.getProperty("java.home")))) {
            Path folder = OutputFolder.create(output.out(), "lab-bottlenecks");
            var bench = new Bench(lab, folder, view, NanoClock.SYSTEM, interrupt::isSet);
            Labelled labelled =
                    new LabelledBench(
                                    bench,
                                    Judge::verdict,
                                    new LabelledBench.Settings(
                                            seed, jdk, Optional.ofNullable(keep), clearOnly))
                            .run(cases);
            view.say("");
            out.print(ComparisonReport.of(labelled, output.json));
            out.flush();
            if (interrupt.isSet()) {
                return Interrupt.EXIT_CODE;
            }
            return !clearOnly || labelled.holds() ? 0 : UserError.Kind.INVALID.exitCode();
        }
    }

    private static Experiment published(String name) {
        return Published.find(name)
                .orElseThrow(() ->
                        UserError.usage(
                                "there is no experiment '" + name + "'",
                                "the catalogue has E1 to E26",
                                "see jdyno lab for the list"));
    }

    private static Optional<Comparison> run(Experiment experiment, Bench bench, Interrupt interrupt)
            throws InterruptedException {
        try {
            return Optional.of(experiment.run(bench));
        } catch (UserError e) {
            if (interrupt.isSet()) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
