package dev.jdyno.cli.agent;

import dev.jdyno.cli.options.OptionTexts;
import dev.jdyno.cli.options.StoreOption;
import dev.jdyno.cluster.Listener;
import dev.jdyno.cluster.Token;
import dev.jdyno.cluster.key.OwnKey;
import dev.jdyno.cluster.key.PeerKey;
import dev.jdyno.measure.text.Problems;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The way in which an agent and its runs authenticate each other.
final class AgentProof {
    private static final String KEY_FILE = "agent.key";

    @Option(
            names = "--run-key",
            split = ",",
            paramLabel = "KEY",
            description =
                    "The public key of the run that it answers, as jdyno agents key shows it; may be"
                            + " repeated.")
    private List<String> runKeys = List.of();

    @Option(
            names = "--own-key",
            paramLabel = "FILE",
            description =
                    "With --run-key: this agent's own private key, made at the first start. Default:"
                            + " jdyno/agent.key in $XDG_DATA_HOME or ~/.local/share")
    private @Nullable Path ownKey;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description =
                    "Instead of --run-key: a secret that runs and all agents share, one line of at least 32"
                            + " characters; only you may read the file. A process that has the secret"
                            + " can also pass for an agent or a run.")
    private @Nullable Path tokenFile;

    private Optional<OwnKey> own = Optional.empty();

    /// Opens the agent's port.
    interface Opening {
        Listener at(InetSocketAddress address);
    }

    /// @throws dev.jdyno.measure.text.UserError if the agent's own key cannot be read or made
    Optional<Opening> opening(Problems problems) {
        if (runKeys.isEmpty() == (tokenFile == null)) {
            problems.add(
                    "--run-key | --token-file",
                    tokenFile == null ? "neither is given" : "both are given",
                    "give --run-key with what jdyno agents key shows, or --token-file for a quick"
                            + " start");
            return Optional.empty();
        }
        if (tokenFile != null) {
            if (ownKey != null) {
                problems.add("--own-key", "given without --run-key", "leave it out");
            }
            return Token.read("--token-file", tokenFile, problems)
                    .map(token -> at -> Listener.open(at, token));
        }
        var texts = new OptionTexts(problems);
        List<Optional<PeerKey>> read =
                runKeys.stream()
                        .map(text ->
                                texts.read(
                                        "--run-key",
                                        text,
                                        PeerKey::new,
                                        "what jdyno agents key FILE shows"))
                        .toList();
        if (read.stream().anyMatch(Optional::isEmpty)) {
            return Optional.empty();
        }
        Set<PeerKey> runs = read.stream().flatMap(Optional::stream).collect(Collectors.toSet());
        OwnKey key =
                OwnKey.readOrMake(
                        Optional.ofNullable(ownKey)
                                .orElseGet(() -> StoreOption.folder().resolve(KEY_FILE)));
        own = Optional.of(key);
        return Optional.of(at -> Listener.open(at, key, runs));
    }

    /// The fingerprint that users compare before they trust this agent; empty if a token is shared.
    Optional<String> fingerprint() {
        return own.map(k -> k.open().fingerprint());
    }
}
