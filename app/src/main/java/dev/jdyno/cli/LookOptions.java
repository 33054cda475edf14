package dev.jdyno.cli;

import dev.jdyno.measure.Problems;
import dev.jdyno.measure.RunResult;
import dev.jdyno.plan.Plan;
import dev.jdyno.plan.PlanValues;
import dev.jdyno.report.ResultJson;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// What else to look at inside the target, in windows of its own.
final class LookOptions {
    @Option(
            names = "--stages",
            split = ",",
            paramLabel = "METHOD",
            description = {
                "Time every call of these methods: com.acme.Foo.bar,com.acme.Foo.baz. By JFR on JDK 25, by"
                        + " async-profiler before."
            })
    private List<String> stages = List.of();

    @Option(
            names = "--frames",
            paramLabel = "FILE",
            description =
                    "What your own frameworks' stack frames mean; goes before jdyno's knowledge.")
    private @Nullable Path frames;

    @Option(
            names = "--no-profile",
            description = "Load no profiler into the target and draw no flame graphs.")
    private boolean noProfile;

    @Option(
            names = "--since",
            paramLabel = "RESULT.json",
            description = "Say which methods cost a request more than in this earlier run.")
    private @Nullable Path since;

    /// The run to compare with.
    ///
    /// @throws dev.jdyno.measure.UserError when it cannot be read
    Optional<RunResult> since() {
        return Optional.ofNullable(since).map(ResultJson::read);
    }

    /// @param ofPlan what the plan says, or the default
    Plan.Looking of(Plan.Looking ofPlan, Problems problems) {
        List<String> wanted = stages(problems);
        return new Plan.Looking(
                ofPlan.profile() && !noProfile,
                wanted.isEmpty() ? ofPlan.stages() : wanted,
                Optional.ofNullable(frames).or(ofPlan::frames));
    }

    /// The methods of `--stages`.
    List<String> stages(Problems problems) {
        List<String> methods = new ArrayList<>();
        for (String stage : stages) {
            RunCommand.read("--stages", stage, PlanValues::stage, problems).ifPresent(methods::add);
        }
        return methods;
    }
}
