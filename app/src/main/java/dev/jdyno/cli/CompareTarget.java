package dev.jdyno.cli;

import dev.jdyno.cli.options.TargetOptions;
import dev.jdyno.compare.Variant;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.plan.Plan;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Determines the service of a variant of `jdyno compare` from the options.
final class CompareTarget {
    private CompareTarget() {}

    /// Names a variant without a plan file after its service.
    static Variant named(Variant b) {
        return ServiceName.of(b.plan().target())
                .map(name -> new Variant(b.plan().named(name), b.additions()))
                .orElse(b);
    }

    /// Adds a mistake if B's initial heap is larger than its maximum.
    static void requireHeap(Variant b, Problems problems) {
        b.heapMistake()
                .ifPresent(mistake ->
                        problems.add(
                                "B",
                                mistake,
                                "give -Xms and -Xmx together, such as --flags-b '-Xms512m"
                                        + " -Xmx512m'"));
    }

    /// @param name `a` or `b`, as in the options
    /// @param fromFile true if the plan comes from a file
    /// @param url as given; it may have the placeholder of the port
    /// @param away the agent that starts both variants, if one does
    static Plan of(
            Plan plan,
            String name,
            @Nullable String command,
            @Nullable Long pid,
            boolean fromFile,
            Optional<String> url,
            AwayOptions away,
            Problems problems) {
        if (away.isGiven()) {
            return command == null
                            && pid == null
                            && plan.target() instanceof Plan.TargetPlan.Observed
                    ? plan
                    : plan.withTarget(away.target(name, command, pid, problems));
        }
        if (AwayOptions.isName(command)) {
            problems.add(
                    "--" + name + " " + command,
                    "it names a command of an agent, and no agent is given",
                    "add --observe HOST:PORT of the agent");
        }
        if (command != null && pid != null) {
            problems.add(
                    "--" + name + ", --pid-" + name,
                    "both are given",
                    "give a command to start it, or the pid of one that runs");
        }
        if (command != null) {
            TargetOptions.Url.requirePort("--" + name, command, url, problems);
            return plan.withTarget(new Plan.TargetPlan.Launch(command));
        }
        if (pid != null) {
            return plan.withTarget(new Plan.TargetPlan.Attach(pid));
        }
        if (!fromFile && plan.target() instanceof Plan.TargetPlan.None) {
            problems.add(
                    "--" + name + " | --pid-" + name,
                    "none of them is given",
                    "which JVM is " + name.toUpperCase(Locale.ROOT) + "?");
        }
        return plan;
    }
}
