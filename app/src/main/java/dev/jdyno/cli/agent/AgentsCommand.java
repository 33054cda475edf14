package dev.jdyno.cli.agent;

import dev.jdyno.cli.options.AgentsOptions;
import dev.jdyno.cluster.AgentAddress;
import dev.jdyno.cluster.Facts;
import dev.jdyno.cluster.Survey;
import dev.jdyno.cluster.Token;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Problems;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// What agents say of themselves.
@Command(
        name = "agents",
        mixinStandardHelpOptions = true,
        description = "Show what the agents on other hosts have, and what each may do.",
        footer = {"", "Example:", "  jdyno agents lg1,lg2:4711 --token-file token"})
public final class AgentsCommand implements Callable<Integer> {
    @Parameters(
            arity = "1..*",
            split = ",",
            paramLabel = "HOST[:PORT]",
            description = "Where they listen; port 4711 unless given.")
    private List<String> agents = List.of();

    @Option(
            names = "--token-file",
            required = true,
            paramLabel = "FILE",
            description = "The secret that the agents hold, too.")
    private @Nullable Path tokenFile;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
        var problems = new Problems();
        List<String> addresses = AgentsOptions.addresses(agents, problems);
        Optional<Token> token =
                Optional.ofNullable(tokenFile)
                        .flatMap(f -> Token.read("--token-file", f, problems));
        problems.throwIfAny("the command line");
        Survey survey =
                Survey.of(
                        addresses.stream().map(AgentAddress::parse).toList(),
                        token.orElseThrow(),
                        problems,
                        NanoClock.SYSTEM);
        PrintWriter out = spec.commandLine().getOut();
        survey.answers().forEach(a -> out.println(text(a)));
        problems.throwIfAny("the list of agents");
        return 0;
    }

    private static String text(Survey.Answer a) {
        Facts f = a.facts();
        return String.format(
                Locale.ROOT,
                """
                %s  jdyno %s, %s, %s
                  %d cores, %d local ports, %d connections by its open-files limit
                  wall clock %+.1f ms to ours, ± %.1f ms
                  may load %s, at most %.0f requests/s and %d connections\
                """,
                a.agent(),
                f.version(),
                f.busy().isEmpty() ? "free" : "busy with run " + f.busy(),
                f.system(),
                f.cores(),
                f.ports(),
                f.files(),
                a.wallOffsetMs(),
                a.wallErrorMs(),
                f.allowed().isEmpty() ? "its loopback device" : String.join(", ", f.allowed()),
                f.mostRate(),
                f.mostUsers());
    }
}
