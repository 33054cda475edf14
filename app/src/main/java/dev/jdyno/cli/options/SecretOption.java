package dev.jdyno.cli.options;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// `--key-file` and `--token-file`: how a run and its agents authenticate each other.
public final class SecretOption {
    @Option(
            names = {"--token-file", "--key-file"},
            paramLabel = "FILE",
            description =
                    "Needed for agents. --key-file: the run's private key (jdyno agents key)."
                            + " --token-file: the token that the agents have too. Only you may read the file.")
    private @Nullable Path file;

    public Optional<Path> file() {
        return Optional.ofNullable(file);
    }
}
