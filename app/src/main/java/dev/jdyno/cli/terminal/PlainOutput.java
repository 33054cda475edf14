package dev.jdyno.cli.terminal;

import picocli.CommandLine.Option;

/// The options of output that every verb takes, for the verbs that print neither progress nor
/// colours: a script may give them to all alike.
public final class PlainOutput {
    @Option(names = "--json", description = "Print one JSON document on standard output.")
    public boolean json;

    @Option(names = "--quiet", description = "Print no progress; this verb never does.")
    boolean quiet;

    @Option(names = "--no-color", description = "No colours; this verb never prints any.")
    boolean noColor;
}
