package dev.jdyno.cli.agent;

import dev.jdyno.cluster.AgentAddress;
import dev.jdyno.cluster.Credentials;
import dev.jdyno.cluster.key.KnownAgents;
import dev.jdyno.cluster.key.OwnKey;
import dev.jdyno.cluster.key.PeerKey;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Stores the keys of agents; from then on, agents are accepted with these keys only.
@Command(
        name = "trust",
        mixinStandardHelpOptions = true,
        description = {
            "Fetch the keys of agents, keep them at once in FILE.known, and show their fingerprints.",
            "",
            "It does not ask. Compare each fingerprint with the one that the agent printed, before you"
                    + " start a run; or give the fingerprint with --fingerprint. From now on each agent"
                    + " must have this key. To remove an agent, delete its line in FILE.known. A plan"
                    + " must name the agent with the same HOST:PORT."
        },
        footer = {
            "",
            "Examples:",
            "  jdyno agents trust lg1,lg2 --key-file run.key",
            "  jdyno agents trust lg1 --key-file run.key --fingerprint SHA256:...",
        })
final class TrustCommand implements Callable<Integer> {
    @Parameters(
            arity = "1..*",
            split = ",",
            paramLabel = "HOST[:PORT]",
            description = "Where they listen; port 4711 unless given.")
    private List<String> agents = List.of();

    @Option(
            names = "--key-file",
            required = true,
            paramLabel = "FILE",
            description = "The run's private key.")
    private @Nullable Path keyFile;

    @Option(
            names = "--fingerprint",
            paramLabel = "SHA256:...",
            description = "Keep the key only if it has this fingerprint; for one agent.")
    private @Nullable String fingerprint;

    @Option(
            names = "--replace",
            description =
                    "Replace the key that was kept. Without it, an agent with another key is an error.")
    private boolean replace;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
        var problems = Problems.ofCommand("jdyno agents trust");
        List<AgentAddress> addresses = AgentsCommand.addresses(agents, problems);
        if (fingerprint != null && addresses.size() > 1) {
            problems.add("--fingerprint", "given for several agents", "name one agent");
        }
        problems.throwIfAny();
        Path file = Objects.requireNonNull(keyFile);
        KnownAgents known = KnownAgents.read(Credentials.agentKeysOf(file));
        var credentials = Credentials.of(OwnKey.read(file), known);
        PrintWriter out = spec.commandLine().getOut();
        for (AgentAddress agent : addresses) {
            PeerKey shown = credentials.shownBy(agent);
            require(agent, shown, known.of(agent.toString()), credentials);
            known = known.with(agent.toString(), shown);
            out.println(agent + "  " + shown.fingerprint());
        }
        return 0;
    }

    private void require(
            AgentAddress agent, PeerKey shown, Optional<PeerKey> before, Credentials credentials) {
        if (fingerprint != null && !fingerprint.equals(shown.fingerprint())) {
            throw UserError.usage(
                    "agent " + agent + " has another key",
                    "it shows " + shown.fingerprint() + " instead of " + fingerprint,
                    "look at what the agent printed when it started: another process may pass for"
                            + " it");
        }
        if (!replace && before.isPresent() && !before.get().equals(shown)) {
            throw credentials.stranger(agent, shown);
        }
    }
}
