package dev.jdyno.cli.options;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// `--frames`: the user's file that defines the meaning of stack frames.
public final class FramesOption {
    @Option(
            names = "--frames",
            paramLabel = "FILE",
            description =
                    "Meaning of your own frameworks' stack frames; takes precedence over jdyno's"
                            + " own list.")
    private @Nullable Path frames;

    public Optional<Path> file() {
        return Optional.ofNullable(frames);
    }
}
