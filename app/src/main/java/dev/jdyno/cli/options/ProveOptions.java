package dev.jdyno.cli.options;

import dev.jdyno.measure.text.Problems;
import dev.jdyno.plan.Plan;
import dev.jdyno.plan.PlanValues;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The test of the verdict on the command line.
public final class ProveOptions {
    @Option(
            names = "--prove",
            description = {
                "Test the verdict: change the limit that it names (cores, requests in flight, a"
                        + " pool over JMX, a delay in front of the downstream), measure the"
                        + " effect, and undo the change."
            })
    private boolean prove;

    @Option(
            names = "--relay",
            paramLabel = "HOST:PORT",
            description = {
                "With --prove: put a relay in front of this downstream during the whole run. The"
                        + " launch command has {relay} in place of the downstream's address."
            })
    private @Nullable String relay;

    /// The test that the plan requests, changed by the command line.
    public Plan.Proving of(Plan plan, Problems problems) {
        Optional<String> here =
                OptionTexts.optional("--relay", relay, PlanValues::hostAndPort, problems)
                        .or(plan.proving()::relay);
        boolean wanted = prove || plan.proving().wanted();
        if (relay != null && !wanted) {
            problems.add("--relay", "given without --prove", "add --prove");
        }
        var proving = new Plan.Proving(wanted, here);
        proving.mistakeWith(plan.target())
                .ifPresent(m -> problems.add("--relay", m, "use --launch '... http://{relay}'"));
        return proving;
    }
}
