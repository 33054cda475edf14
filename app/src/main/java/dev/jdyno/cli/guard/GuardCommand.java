package dev.jdyno.cli.guard;

import dev.jdyno.cli.options.OptionTexts;
import dev.jdyno.cli.terminal.OutputOptions;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.GoalText;
import dev.jdyno.report.SeriesReport;
import dev.jdyno.series.Judgement;
import java.io.PrintWriter;
import java.nio.file.Path;
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

/// Judges a series of figures from elsewhere; runs of a plan are not guarded yet.
@Command(
        name = "guard",
        mixinStandardHelpOptions = true,
        description = {
            "Say whether a figure has become worse: where the level of a series changed, and which single",
            "values stand out. Exit code 0: no, 4: the level that holds now is worse, 3: too few values.",
            "(a daily run of a plan: not yet)"
        },
        footer = {
            "",
            "Examples:",
            "  jdyno guard --series latency.csv --lower-is-better",
            "  jdyno guard --series bench.csv --column ops_per_s --json",
        })
public final class GuardCommand implements Callable<Integer> {
    private static final int REGRESSION = 4;

    @Parameters(
            arity = "0..1",
            paramLabel = "PLAN.yaml",
            description = "A daily run of a plan: not built yet.")
    private @Nullable Path plan;

    @Option(
            names = "--series",
            paramLabel = "FILE.csv|FILE.json",
            description = "Figures in the order of time: a CSV file, or a JSON list of numbers.")
    private @Nullable Path series;

    @Option(
            names = "--column",
            paramLabel = "NAME|N",
            description = "Which column of a CSV file (default: the last one with numbers).")
    private @Nullable String column;

    @Option(
            names = "--lower-is-better",
            description = "Lower values are better, as of a response time.")
    private boolean lowerIsBetter;

    @Option(
            names = "--min-effect",
            paramLabel = "SHARE",
            description = "Smallest change of the level that matters (default 0: any).")
    private @Nullable String minEffect;

    @Mixin private OutputOptions output = new OutputOptions();

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        var problems = new Problems();
        if (plan != null) {
            problems.add(
                    plan.toString(),
                    "a daily run of a plan is not built yet",
                    "run `jdyno compare` against a pinned build, or give --series FILE");
        } else if (series == null) {
            problems.add("--series", "missing", "give a CSV file, or a JSON list of numbers");
        }
        double effect =
                OptionTexts.optional("--min-effect", minEffect, GoalText::precision, problems)
                        .orElse(0.0);
        problems.throwIfAny("the command line");
        Judgement judged =
                Judgement.of(
                        SeriesFile.read(
                                Objects.requireNonNull(series), Optional.ofNullable(column)),
                        lowerIsBetter,
                        effect);
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
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
