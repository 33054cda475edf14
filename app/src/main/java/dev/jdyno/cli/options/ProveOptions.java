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
                "Put the verdict to the test: change what it names (cores, requests in flight, a pool over JMX, a"
                        + " delay in front of the downstream), see what comes of it, take it back."
            })
    private boolean prove;

    @Option(
            names = "--relay",
            paramLabel = "HOST:PORT",
            description = {
                "With --prove: stand in front of this downstream during the whole run. The launch command says"
                        + " {relay} where the service takes the address from."
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
