package dev.jdyno.cli;

import dev.jdyno.cli.options.OptionTexts;
import dev.jdyno.cli.options.OutputFolder;
import dev.jdyno.cli.options.PaceOptions;
import dev.jdyno.cli.options.TargetOptions;
import dev.jdyno.cli.terminal.Interrupt;
import dev.jdyno.cli.terminal.LiveView;
import dev.jdyno.cli.terminal.OutputOptions;
import dev.jdyno.files.PrivateFiles;
import dev.jdyno.instance.Price;
import dev.jdyno.instance.SizeGrid;
import dev.jdyno.instance.SizeSearch.End;
import dev.jdyno.instance.SizeSearch.Step;
import dev.jdyno.instance.SizeStudy;
import dev.jdyno.instance.SizeWish;
import dev.jdyno.instance.Sized;
import dev.jdyno.measure.load.Goal;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.GoalText;
import dev.jdyno.plan.Plan;
import dev.jdyno.report.SizeReport;
import dev.jdyno.target.cgroup.Cgroups;
import dev.jdyno.trial.LiveService;
import dev.jdyno.trial.Session;
import java.io.IOException;
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
        name = "size",
        mixinStandardHelpOptions = true,
        description = {
            "Find the smallest CPU and memory limit with which a service holds a rate.",
            "",
            "It starts the service in a control group (cgroup) of each size, with a heap that fits,"
                    + " and holds the rate until it is clear whether the goals hold. To confirm the"
                    + " result, it tests the next smaller CPU and memory limits, too. Then it proposes"
                    + " the sizes of the pools, and tests those that the plan lets it set ('knobs')."
                    + " It needs the right to make control groups: root, or a delegated group."
        },
        footer = {
            "",
            "Examples:",
            "  jdyno size plan.yaml --rate 800/s --goal 'p99<100ms'",
            "  jdyno size plan.yaml --rate 800/s --goal 'p99<100ms' --reserve 20%% --price cpu=30,memory=4",
            "  one of four instances that share the rate:",
            "    jdyno size plan.yaml --rate 800/s --replicas 4 --goal 'p99<100ms'",
            "  in a part of the sizes:",
            "    jdyno size plan.yaml --rate 200/s --goal 'p99<50ms' --cpus 0.5..2 --memory 256m..1g",
        })
final class SizeCommand implements Callable<Integer> {
    private static final Duration BUDGET = Duration.ofMinutes(40);
    private static final Duration MIN_BUDGET = Duration.ofMinutes(2);

    /// Smallest memory limit without `--memory`: a JVM alone takes some 40 MB.
    private static final int MIN_MEBI = 64;

    /// Share of the memory that is available, for the largest limit without `--memory`.
    private static final double OF_AVAILABLE = 0.8;

    /// Memory that is taken to be available if the kernel does not report it.
    private static final int UNKNOWN_MEBI = 1024;

    @Parameters(
            arity = "1",
            paramLabel = "PLAN.yaml|URL",
            description = "A plan that launches its target, or a URL with --launch.")
    private String first = "";

    @Mixin private TargetOptions.Launch launch = new TargetOptions.Launch();

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            description =
                    "Requests per second of all instances together (one, unless --replicas is"
                            + " given), such as 800/s. Required.")
    private @Nullable String rate;

    @Option(
            names = "--replicas",
            paramLabel = "N",
            description =
                    "Number of instances that share --rate equally (default 1). One instance is"
                            + " tested, at its part of the rate.")
    private @Nullable Integer replicas;

    @Option(
            names = "--goal",
            paramLabel = "GOALS",
            description =
                    "What must hold at this rate: p99<100ms,errors<0.1%% (default: the goals of the"
                            + " plan).")
    private @Nullable String goal;

    @Option(
            names = "--reserve",
            paramLabel = "SHARE",
            description =
                    "Share of its capacity that an instance has left at this rate (default 0%%)."
                            + " With 20%%, 1000/s are sent for --rate 800/s.")
    private @Nullable String reserve;

    @Option(
            names = "--cpus",
            paramLabel = "FROM..TO",
            description = "CPU limits to search in (default: 0.1 to the cores of this machine).")
    private @Nullable String cpus;

    @Option(
            names = "--memory",
            paramLabel = "FROM..TO",
            description =
                    "Memory limits to search in (default: 64m to 80%% of the available memory).")
    private @Nullable String memory;

    @Option(
            names = "--price",
            paramLabel = "PRICES",
            description =
                    "Price of a core and of a GiB for a month, for the cost: cpu=30,memory=4.")
    private @Nullable String price;

    @Mixin
    private PaceOptions.Budget budget =
            new PaceOptions.Budget(
                    "40m; a further size is tested only if the time left is at least the mean time"
                            + " of a test");

    @Mixin private OutputOptions output = new OutputOptions();

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        var problems = Problems.ofCommand("jdyno size");
        Plan plan = launch.plan(first, "size", problems);
        Optional<SizeWish> wish = wish(plan, problems);
        if (!(plan.target() instanceof Plan.TargetPlan.Launch)) {
            problems.add(
                    "the target",
                    "it is not launched, and each size is a start of its own",
                    "give a plan with target: {launch: \"java …\"}, or a URL with --launch");
        }
        if (plan.hasJourneysOfSeveralRequests()) {
            problems.add(
                    "the workload",
                    "a journey has several requests, and the rate is one of requests",
                    "give a workload whose journeys have one request each");
        }
        problems.throwIfAny();
        return search(plan, wish.orElseThrow(), out, err);
    }

    private int search(Plan plan, SizeWish wish, PrintWriter out, PrintWriter err)
            throws IOException, InterruptedException {
        var cgroups = Cgroups.ofThisMachine();
        cgroups.check();
        try (var interrupt = new Interrupt()) {
            Path folder = OutputFolder.create(output.out(), "size");
            var view = new LiveView(err, output);
            cgroups.removeLeft()
                    .forEach(left -> view.say("removed the group of a killed run: " + left));
            var study =
                    new SizeStudy(
                            plan,
                            wish,
                            new Session(folder, view, interrupt::isSet),
                            cgroups,
                            test -> view.phase(announced(test)),
                            test -> SizeReport.lines(wish, test).forEach(view::say));
            Sized result = study.run();
            view.say("");
            PrivateFiles.write(folder.resolve("size.json"), SizeReport.json(result) + "\n");
            if (output.json) {
                out.println(SizeReport.json(result));
            } else {
                out.print(SizeReport.terminal(result));
                out.println("Files  " + folder + " (size.json)");
            }
            out.flush();
            return interrupt.isSet()
                    ? Interrupt.EXIT_CODE
                    : result.end() == End.FOUND ? 0 : UserError.Kind.INVALID.exitCode();
        }
    }

    private static String announced(Step.Test test) {
        return "testing " + test.size() + " (" + test.why().key() + ")";
    }

    private Optional<SizeWish> wish(Plan plan, Problems problems) {
        Optional<Double> wanted = OptionTexts.optional("--rate", rate, GoalText::rate, problems);
        if (rate == null) {
            problems.add(
                    "--rate is missing",
                    "a size is for a rate",
                    "write --rate 800/s, the requests of one instance");
        }
        OptionTexts.within(
                "--replicas", replicas, 1, SizeWish.MAX_REPLICAS, "--replicas 4", problems);
        List<Goal> goals = goals(plan, problems);
        double left =
                OptionTexts.optional("--reserve", reserve, SizeWish::reserve, problems).orElse(0.0);
        Optional<SizeGrid.Range> cores =
                OptionTexts.optional("--cpus", cpus, SizeGrid::cpus, problems);
        Optional<SizeGrid.Range> sizes =
                OptionTexts.optional("--memory", memory, SizeGrid::memory, problems);
        Optional<Price> costs = OptionTexts.optional("--price", price, Price::parse, problems);
        Duration time =
                OptionTexts.time(
                        "--budget", budget.given().orElse(null), BUDGET, MIN_BUDGET, problems);
        int machine = 1000 * Runtime.getRuntime().availableProcessors();
        cores.filter(c -> c.most() > machine)
                .ifPresent(c ->
                        problems.add(
                                "--cpus " + cpus,
                                "this machine has "
                                        + machine / 1000
                                        + " cores, so that a larger"
                                        + " limit cannot be tested",
                                "write --cpus 0.1.." + machine / 1000));
        int available = availableMebi();
        sizes.filter(m -> m.most() > available)
                .ifPresent(_ ->
                        problems.add(
                                "--memory " + memory,
                                "this machine has "
                                        + available
                                        + " MiB available, so that a larger"
                                        + " limit cannot be tested",
                                "write --memory " + MIN_MEBI + "m.." + available + "m"));
        int instances = replicas == null ? 1 : replicas;
        if (wanted.isEmpty()
                || goals.isEmpty()
                || instances < 1
                || instances > SizeWish.MAX_REPLICAS) {
            return Optional.empty();
        }
        SizeGrid grid =
                SizeGrid.of(
                        cores.orElse(new SizeGrid.Range(SizeGrid.MIN_MILLIS, machine)),
                        sizes.orElseGet(() ->
                                new SizeGrid.Range(
                                        MIN_MEBI,
                                        (int) Math.max(MIN_MEBI, OF_AVAILABLE * available))));
        return Optional.of(new SizeWish(wanted.get(), instances, left, goals, grid, costs, time));
    }

    private List<Goal> goals(Plan plan, Problems problems) {
        if (goal == null) {
            List<Goal> ofPlan = plan.search().map(Plan.GoalSearch::goals).orElse(List.of());
            if (ofPlan.isEmpty()) {
                problems.add(
                        "--goal is missing",
                        "a size holds a rate only under a goal",
                        "write --goal 'p99<100ms'");
            }
            return ofPlan;
        }
        var found = new Problems();
        List<Goal> goals = GoalText.parse(goal, found);
        found.list().forEach(p -> problems.add("--goal " + p.where(), p.what(), p.fix()));
        return goals;
    }

    private static int availableMebi() {
        return new LiveService()
                .availableMemory()
                .map(b -> (int) Math.min(Integer.MAX_VALUE, b.inMebi()))
                .orElse(UNKNOWN_MEBI);
    }
}
