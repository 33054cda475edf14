package dev.jdyno.cli.guard;

import dev.jdyno.cli.options.OptionTexts;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.plan.GoalText;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options of a search for a commit.
final class BisectOptions {
    @Option(
            names = "--bisect",
            paramLabel = "GOOD..BAD",
            description =
                    "Find the commit of this range that made the service worse. Each is built by the"
                            + " command 'build' of the plan, in a working tree of its own.")
    private @Nullable String bisect;

    @Option(
            names = "--confidence",
            paramLabel = "SHARE",
            description = "With --bisect: probability from which a commit is named (default 95%%).")
    private @Nullable String confidence;

    @Option(
            names = "--resume",
            paramLabel = "DIR",
            description =
                    "With --bisect: go on with an interrupted search; what it measured is not"
                            + " measured again.")
    private @Nullable Path resume;

    /// The range of commits; empty if no search is requested.
    Optional<BisectRun.Range> range(Problems problems) {
        if (bisect == null && (confidence != null || resume != null)) {
            problems.add(
                    resume != null ? "--resume" : "--confidence",
                    "it is given without --bisect",
                    "give --bisect GOOD..BAD, too, or leave it out");
        }
        return OptionTexts.optional("--bisect", bisect, BisectRun.Range::parse, problems);
    }

    /// The required confidence; empty if it is not given.
    Optional<Double> confidence(Problems problems) {
        return OptionTexts.optional("--confidence", confidence, GoalText::confidence, problems);
    }

    Optional<Path> resume() {
        return Optional.ofNullable(resume);
    }
}
