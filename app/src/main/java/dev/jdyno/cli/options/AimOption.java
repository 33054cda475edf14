package dev.jdyno.cli.options;

import dev.jdyno.diagnose.Recommendations;
import dev.jdyno.measure.text.Problems;
import java.util.Locale;
import picocli.CommandLine.Option;

/// The figure by which recommendations are ranked.
public final class AimOption {
    @Option(
            names = "--improve",
            paramLabel = "qps|rt",
            description =
                    "Rank the recommendations by throughput or by response time (default: qps)."
                            + " With rt, the parts of a single request's time are named, too.")
    private String improve = "qps";

    public Recommendations.Aim aim(Problems problems) {
        return switch (improve.toLowerCase(Locale.ROOT)) {
            case "qps" -> Recommendations.Aim.QPS;
            case "rt" -> Recommendations.Aim.RT;
            default -> {
                problems.add("--improve " + improve, "not an aim", "write qps or rt");
                yield Recommendations.Aim.QPS;
            }
        };
    }
}
