package dev.jdyno.cli.options;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// `--label`: the label of a stored result.
public final class LabelOption {
    @Option(
            names = "--label",
            paramLabel = "TEXT",
            description = "Label of the result in the history.")
    private @Nullable String label;

    public Optional<String> label() {
        return Optional.ofNullable(label);
    }
}
