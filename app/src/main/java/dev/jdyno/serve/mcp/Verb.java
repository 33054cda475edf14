package dev.jdyno.serve.mcp;

import java.util.List;
import java.util.function.Consumer;

/// Runs a verb of the command line.
@FunctionalInterface
public interface Verb {
    /// @param words the verb and its options
    /// @param progress gets each line of its standard error as it comes
    Outcome run(List<String> words, Consumer<String> progress);

    /// @param exitCode of the contract
    /// @param out its standard output
    /// @param err its standard error
    record Outcome(int exitCode, String out, String err) {}
}
