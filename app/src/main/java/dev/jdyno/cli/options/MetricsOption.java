package dev.jdyno.cli.options;

import dev.jdyno.measure.text.Problems;
import dev.jdyno.plan.MetricsPlan;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// `--metrics`, `--no-metrics`: the place of the service's own metrics.
public final class MetricsOption {
    private static final String METRICS = "--metrics";

    @Option(
            names = METRICS,
            paramLabel = "URL",
            description =
                    "Read the service's own metrics (Prometheus text, OpenMetrics) here. Without it"
                            + " jdyno looks for them on the JVM's own ports, over loopback.")
    private @Nullable String metrics;

    @Option(
            names = "--no-metrics",
            description = "Neither look for the service's own metrics nor read them.")
    private boolean noMetrics;

    /// @param otherwise the plan if neither option is given
    public MetricsPlan of(MetricsPlan otherwise, Problems problems) {
        return given(problems).orElse(otherwise);
    }

    /// The plan of these options; empty if neither is given.
    public Optional<MetricsPlan> given(Problems problems) {
        if (noMetrics && metrics != null) {
            problems.add(METRICS, "given with --no-metrics", "give one of them");
        }
        return noMetrics
                ? Optional.of(MetricsPlan.NONE)
                : OptionTexts.optional(METRICS, metrics, MetricsPlan::ofUrl, problems);
    }
}
