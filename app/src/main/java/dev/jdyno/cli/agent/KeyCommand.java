package dev.jdyno.cli.agent;

import dev.jdyno.cluster.key.OwnKey;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Shows or makes the key pair that identifies runs.
@Command(
        name = "key",
        mixinStandardHelpOptions = true,
        description = {
            "Make the private key that runs prove themselves with, and show its public key, which agents"
                    + " get with --run-key. Where FILE is there already, its public key is shown."
        },
        footer = {"", "Example:", "  jdyno agents key run.key"})
final class KeyCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "FILE",
            description = "Where it is kept; only you may read it. It stays on this host.")
    private @Nullable Path file;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
        OwnKey key = OwnKey.readOrMake(Objects.requireNonNull(file));
        PrintWriter out = spec.commandLine().getOut();
        out.println(key.open().text());
        return 0;
    }
}
