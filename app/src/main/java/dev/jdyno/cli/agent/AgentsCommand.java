package dev.jdyno.cli.agent;

import dev.jdyno.cli.options.AgentsOptions;
import dev.jdyno.cli.options.SecretOption;
import dev.jdyno.cluster.AgentAddress;
import dev.jdyno.cluster.Facts;
import dev.jdyno.cluster.Survey;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.trial.AgentSecrets;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Shows what agents report of themselves.
@Command(
        name = "agents",
        mixinStandardHelpOptions = true,
        description =
                "Create keys, bring agents to hosts, trust agents, list them with their limits.",
        subcommands = {KeyCommand.class, TrustCommand.class, UpCommand.class, DownCommand.class},
        footer = {
            "",
            "Examples:",
            "  jdyno agents key run.key",
            "  jdyno agents trust lg1,lg2 --key-file run.key",
            "  jdyno agents lg1,lg2:4711 --key-file run.key",
            "  jdyno agents up --ssh hosts.txt --key-file run.key --package TAR.GZ --allow shop:8080",
            "  jdyno agents up --k8s 3 --key-file run.key --allow shop:8080",
            "  jdyno agents down --key-file run.key",
        })
public final class AgentsCommand implements Callable<Integer> {
    @Parameters(
            arity = "0..*",
            split = ",",
            paramLabel = "HOST[:PORT]",
            description = "Where they listen; port 4711 unless given.")
    private List<String> agents = List.of();

    @Mixin private SecretOption secret = new SecretOption();

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
        var problems = Problems.ofCommand("jdyno agents");
        List<AgentAddress> addresses = addresses(agents, problems);
        if (secret.file().isEmpty()) {
            problems.add(
                    "--key-file",
                    "missing",
                    "give the run's private key, or --token-file with the agents' token");
        }
        problems.throwIfAny();
        Survey survey =
                Survey.of(
                        addresses,
                        AgentSecrets.read(secret.file().orElseThrow()),
                        problems,
                        NanoClock.SYSTEM);
        PrintWriter out = spec.commandLine().getOut();
        survey.answers().forEach(a -> out.println(text(a)));
        problems.throwIfAny("the list of agents");
        return 0;
    }

    static List<AgentAddress> addresses(List<String> given, Problems problems) {
        if (given.isEmpty()) {
            problems.add("HOST", "no agent is named", "write HOST or HOST:PORT of each");
        }
        return AgentsOptions.addresses(given, problems).stream().map(AgentAddress::parse).toList();
    }

    static String text(Survey.Answer a) {
        Facts f = a.facts();
        var text = new StringBuilder();
        text.append(
                String.format(
                        Locale.ROOT,
                        """
                        %s  jdyno %s, %s, %s
                          %d cores, %d local ports, %d connections by its open-files limit
                          wall clock %+.1f ms to ours, ± %.1f ms\
                        """,
                        a.agent(),
                        f.version(),
                        f.busy().isEmpty() ? "free" : "busy with run " + f.busy(),
                        f.system(),
                        f.cores(),
                        f.ports(),
                        f.files(),
                        a.wallOffsetMs(),
                        a.wallErrorMs()));
        if (f.roles().contains(Facts.Role.LOAD)) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "\n  may load %s, at most %.0f requests/s and %d connections",
                            String.join(", ", f.allowed()),
                            f.mostRate(),
                            f.mostUsers()));
        }
        if (f.roles().contains(Facts.Role.OBSERVE)) {
            text.append("\n  may observe ")
                    .append(
                            f.observed().isEmpty()
                                    ? "any JVM of its user"
                                    : String.join(", ", f.observed()));
        }
        return text.toString();
    }
}
