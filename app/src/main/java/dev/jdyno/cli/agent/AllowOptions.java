package dev.jdyno.cli.agent;

import dev.jdyno.inside.JvmChoice;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.plan.PlanValues;
import java.util.List;
import picocli.CommandLine.Option;

/// The targets that an agent may load and observe.
final class AllowOptions {
    @Option(
            names = "--allow",
            split = ",",
            paramLabel = "HOST:PORT",
            description =
                    "What may be loaded, as its URL names it; HOST:* for all ports; may be repeated."
                            + " Nothing else is.")
    private List<String> allow = List.of();

    @Option(
            names = "--observe-only",
            split = ",",
            paramLabel = "WHICH",
            description =
                    "What may be observed: port=8080, name=shop or pid=17; may be repeated. Default: any"
                            + " JVM that this user may observe.")
    private List<String> observeOnly = List.of();

    List<String> allow() {
        return allow;
    }

    List<String> observeOnly() {
        return observeOnly;
    }

    /// Adds a mistake for each word that is not an address or a JVM.
    void check(Problems problems) {
        for (String target : allow) {
            try {
                String named = PlanValues.hostAndPort(target.replaceFirst(":\\*$", ":1"));
                if (named.contains("*")) {
                    throw new IllegalArgumentException("'" + target + "' names no host");
                }
            } catch (IllegalArgumentException e) {
                problems.add("--allow", String.valueOf(e.getMessage()), "write HOST:PORT");
            }
        }
        for (String which : observeOnly) {
            if (!JvmChoice.isWord(which)) {
                problems.add(
                        "--observe-only",
                        "'" + which + "' names no JVM",
                        "write port=8080, name=shop or pid=17");
            }
        }
    }
}
