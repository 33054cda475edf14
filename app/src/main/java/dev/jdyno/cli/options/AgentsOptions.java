package dev.jdyno.cli.options;

import dev.jdyno.measure.text.Problems;
import dev.jdyno.plan.Plan;
import dev.jdyno.plan.PlanValues;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The processes on other hosts that send the load.
public final class AgentsOptions {
    @Option(
            names = "--agents",
            split = ",",
            paramLabel = "HOST[:PORT]",
            description =
                    "Load from these hosts, where jdyno agent runs (port 4711 unless given), instead of"
                            + " from here.")
    private List<String> agents = List.of();

    @Mixin private SecretOption secret = new SecretOption();

    /// File with the secret that all agents share, including those that observe the target.
    public Optional<Path> tokenFile() {
        return secret.file();
    }

    /// The agents of the plan, changed by the given options.
    ///
    /// @param observes true if an agent with the same secret observes the target
    public Optional<Plan.Agents> over(
            Optional<Plan.Agents> planned, boolean observes, Problems problems) {
        if (agents.isEmpty() && tokenFile().isPresent() && planned.isEmpty() && !observes) {
            problems.add(
                    "--token-file",
                    "given without --agents and --observe",
                    "add --agents HOST or --observe HOST:WHICH");
        }
        List<String> addresses =
                agents.isEmpty()
                        ? planned.map(Plan.Agents::addresses).orElse(List.of())
                        : addresses(agents, problems);
        Optional<Path> token = tokenFile().or(() -> planned.map(Plan.Agents::tokenFile));
        if (!addresses.isEmpty() && token.isEmpty()) {
            problems.add(
                    "--agents",
                    "given without --key-file and --token-file",
                    "add the run's private key (jdyno agents key FILE), or the token that the agents hold");
        }
        return addresses.isEmpty()
                ? Optional.empty()
                : token.map(t -> new Plan.Agents(addresses, t));
    }

    /// Addresses of agents with their ports. Adds every mistake to `problems`.
    public static List<String> addresses(List<String> given, Problems problems) {
        List<String> addresses = new ArrayList<>();
        for (String text : given) {
            OptionTexts.optional("--agents", text, PlanValues::agent, problems)
                    .ifPresent(addresses::add);
        }
        if (addresses.stream().distinct().count() < addresses.size()) {
            problems.add("--agents", "an agent is named twice", "name each agent once");
        }
        return addresses;
    }
}
