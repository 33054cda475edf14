package dev.jdyno.serve.mcp;

import java.util.List;

/// Runs a verb of the command line.
@FunctionalInterface
public interface Verb {
    /// @param words the verb and its options
    /// @param caller gets each line of standard error at once; the verb stops when the caller
    ///   cancels the call
    Outcome run(List<String> words, Caller caller);

    /// @param exitCode exit code of the verb (docs/contract.md)
    /// @param out its standard output
    /// @param err its standard error
    record Outcome(int exitCode, String out, String err) {}
}
