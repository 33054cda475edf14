package dev.jdyno.cli;

import dev.jdyno.cli.options.OptionTexts;
import dev.jdyno.cli.options.OutputFolder;
import dev.jdyno.cli.options.PaceOptions;
import dev.jdyno.cli.options.TargetOptions;
import dev.jdyno.cli.terminal.Interrupt;
import dev.jdyno.cli.terminal.LiveView;
import dev.jdyno.cli.terminal.OutputOptions;
import dev.jdyno.cli.terminal.Version;
import dev.jdyno.files.PrivateFiles;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.load.Goal;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Plan;
import dev.jdyno.report.WarmReport;
import dev.jdyno.report.html.HtmlReport;
import dev.jdyno.warm.WarmSettings;
import dev.jdyno.warm.WarmStudy;
import dev.jdyno.warm.Warmed;
import dev.jdyno.warm.Way;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "warm",
        mixinStandardHelpOptions = true,
        description = {
            "Measure how long a service takes to be warm, and what shortens that.",
            "",
            "It starts the service repeatedly under full load: unmodified (the baseline), and with each"
                    + " way that may shorten its warm-up. Each way is compared with the baseline only."
        },
        footer = {
            "",
            "Examples:",
            "  jdyno warm plan.yaml",
            "  jdyno warm http://127.0.0.1:8080/ --launch 'java -jar app.jar' --concurrency 100",
            "  the curve alone, and two ways only:",
            "    jdyno warm plan.yaml --try none",
            "    jdyno warm plan.yaml --try cds,aot --starts 5 --goal 'p99<100ms'",
        })
final class WarmCommand implements Callable<Integer> {
    private static final int STARTS = 5;
    private static final int MAX_STARTS = 50;
    private static final Duration LENGTH = Duration.ofSeconds(40);
    private static final Duration MIN_LENGTH = Duration.ofSeconds(10);
    private static final Duration BUDGET = Duration.ofMinutes(30);
    private static final Duration MIN_BUDGET = Duration.ofMinutes(1);
    private static final String NO_WAY = "none";

    @Parameters(
            arity = "1",
            paramLabel = "PLAN.yaml|URL",
            description = "A plan that launches its target, or a URL with --launch.")
    private String first = "";

    @Mixin private TargetOptions.Launch launch = new TargetOptions.Launch();

    @Option(
            names = "--try",
            paramLabel = "NAMES",
            split = ",",
            description =
                    "What to try (default: all), or none. aot: an AOT cache (JDK 25). cds: a CDS"
                            + " archive (JDK 13). calls: 10 s of calls before the load, one at a"
                            + " time. c1: no C2 compiler; it shows a bound and is not"
                            + " recommended. few: a tenth of the load for the first 10 s.")
    private @Nullable List<String> ways;

    @Option(
            names = "--starts",
            paramLabel = "N",
            description = "Starts of each variant (default 5; fewer than 3 decide nothing).")
    private int starts = STARTS;

    @Mixin
    private PaceOptions.Budget budget =
            new PaceOptions.Budget(
                    "30m; a further round starts only if the time left is at least that of the round"
                            + " before");

    @Option(
            names = "--length",
            paramLabel = "TIME",
            description = "Time of load of each start (default 40s).")
    private @Nullable String length;

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            description =
                    "Requests in flight from the first answer on (default: the warmup concurrency of the"
                            + " plan, or 8).")
    private @Nullable Integer concurrency;

    @Option(
            names = "--goal",
            paramLabel = "GOAL",
            description =
                    "Count the requests above the limit, such as p99<100ms: only the limit counts, the"
                            + " percentile is ignored.")
    private @Nullable String goal;

    @Mixin private OutputOptions output = new OutputOptions();

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        var problems = Problems.ofCommand("jdyno warm");
        Plan plan = launch.plan(first, "warm", problems);
        WarmSettings settings = settings(plan, problems);
        if (plan.target() instanceof Plan.TargetPlan.None
                || plan.target() instanceof Plan.TargetPlan.Attach) {
            problems.add(
                    "the target",
                    "it is not launched, and a start is to be measured",
                    "give a plan with target: {launch: \"java …\"}, or a URL with --launch");
        }
        problems.throwIfAny();
        try (var interrupt = new Interrupt()) {
            Path folder = OutputFolder.create(output.out(), "warm");
            var view = new LiveView(err, output);
            view.say(announced(settings));
            Optional<Warmed> result =
                    new WarmStudy(
                                    plan,
                                    settings,
                                    folder,
                                    view,
                                    NanoClock.SYSTEM,
                                    interrupt::isSet,
                                    new Random(System.nanoTime()))
                            .run();
            view.say("");
            if (result.isPresent()) {
                write(result.get(), folder, out);
            }
            return interrupt.isSet() ? Interrupt.EXIT_CODE : exitCode(result);
        }
    }

    private static int exitCode(Optional<Warmed> result) {
        return result.filter(r -> !r.partial()).isPresent() ? 0 : UserError.Kind.INVALID.exitCode();
    }

    private void write(Warmed result, Path folder, PrintWriter out) throws IOException {
        PrivateFiles.write(folder.resolve("warm.json"), WarmReport.json(result) + "\n");
        HtmlReport.write(result, Version.text(), folder.resolve("report.html"));
        if (output.json) {
            out.println(WarmReport.json(result));
        } else {
            out.print(WarmReport.terminal(result));
            out.println("Files  " + folder + " (report.html, warm.json)");
        }
        out.flush();
    }

    private static String announced(WarmSettings s) {
        return String.format(
                Locale.ROOT,
                "%d starts of the baseline%s, %s of load each; at most %s",
                s.starts(),
                s.ways().isEmpty()
                        ? ""
                        : " and of "
                                + s.ways().stream().map(Way::key).collect(Collectors.joining(", ")),
                Durations.format(s.length()),
                Durations.format(s.budget()));
    }

    private WarmSettings settings(Plan plan, Problems problems) {
        OptionTexts.within("--starts", starts, 1, MAX_STARTS, "5", problems);
        OptionTexts.within("--concurrency", concurrency, 1, Integer.MAX_VALUE, "16", problems);
        Optional<Goal> wanted = OptionTexts.percentileGoal(goal, problems);
        var asked =
                new WarmSettings(
                        concurrency == null
                                ? plan.warmup().concurrency()
                                : Math.max(1, concurrency),
                        OptionTexts.time("--length", length, LENGTH, MIN_LENGTH, problems),
                        Math.clamp(starts, 1, MAX_STARTS),
                        OptionTexts.time(
                                "--budget",
                                budget.given().orElse(null),
                                BUDGET,
                                MIN_BUDGET,
                                problems),
                        wanted.flatMap(g ->
                                g.limitMs().isPresent()
                                        ? Optional.of(g.limitMs().getAsDouble())
                                        : Optional.empty()),
                        ways(problems));
        if (asked.budget().compareTo(asked.least()) < 0) {
            problems.add(
                    "--budget " + Durations.format(asked.budget()),
                    "too short: one start of each takes at least "
                            + Durations.format(asked.least())
                            + " of load",
                    "give a longer budget, a shorter --length, or fewer ways with --try");
        }
        return asked;
    }

    private List<Way> ways(Problems problems) {
        if (ways == null) {
            return List.of(Way.values());
        }
        List<Way> wanted = new ArrayList<>();
        for (String name : ways) {
            Optional<Way> way = Way.of(name.strip());
            if (way.isPresent()) {
                if (!wanted.contains(way.get())) {
                    wanted.add(way.get());
                }
            } else if (!(name.equals(NO_WAY) && ways.size() == 1)) {
                problems.add(
                        "--try " + name,
                        "there is no such way",
                        "write "
                                + Arrays.stream(Way.values())
                                        .map(Way::key)
                                        .collect(Collectors.joining(", "))
                                + ", or none alone");
            }
        }
        return wanted;
    }
}
