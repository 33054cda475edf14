package dev.jdyno.cli.options;

import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.thread.MethodName;
import dev.jdyno.plan.InsidePlan;
import dev.jdyno.report.json.ResultJson;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Additional observations inside the target, each in its own windows.
public final class InsideOptions {
    @Mixin private StagesOption stages = new StagesOption();

    @Mixin private FramesOption frames = new FramesOption();

    @Mixin private MetricsOption metrics = new MetricsOption();

    @Option(
            names = "--no-profile",
            description = "Load no profiler into the target and draw no flame graphs.")
    private boolean noProfile;

    @Option(
            names = "--no-live-count",
            description =
                    "Never count live objects. Where the old generation grows or stays full, jdyno"
                            + " counts them three times when the rounds are over; each count stops the"
                            + " JVM, and the longest stop is reported.")
    private boolean noLiveCount;

    @Option(
            names = "--since",
            paramLabel = "RESULT.json",
            description = "Show which methods cost more per request than in this earlier run.")
    private @Nullable Path since;

    /// The run to compare with.
    ///
    /// @throws dev.jdyno.measure.text.UserError when it cannot be read
    public Optional<RunResult> since() {
        return Optional.ofNullable(since).map(ResultJson::read);
    }

    /// @param ofPlan the observations that the plan defines, or the default
    public InsidePlan of(InsidePlan ofPlan, Problems problems) {
        List<MethodName> wanted = stages.methods(problems);
        return new InsidePlan(
                ofPlan.profile() && !noProfile,
                wanted.isEmpty() ? ofPlan.stages() : wanted,
                frames.file().or(ofPlan::frames),
                ofPlan.liveCount() && !noLiveCount,
                metrics.of(ofPlan.metrics(), problems));
    }
}
