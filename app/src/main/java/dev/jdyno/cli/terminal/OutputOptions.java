package dev.jdyno.cli.terminal;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options of output that every long-running verb shares.
public final class OutputOptions {
    @Option(names = "--json", description = "Print one JSON document on standard output.")
    public boolean json;

    @Option(names = "--quiet", description = "Print no progress.")
    public boolean quiet;

    @Option(names = "--no-color", description = "No colours (NO_COLOR does the same).")
    boolean noColor;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description =
                    "Folder for the results (default: jdyno-out/<time>-<name>; diagnose, without it,"
                            + " writes no files).")
    private @Nullable Path out;

    public Optional<Path> out() {
        return Optional.ofNullable(out);
    }

    public boolean colour() {
        return !noColor && System.getenv("NO_COLOR") == null && Terminal.isInteractive();
    }
}
