package dev.jdyno.cli.terminal;

import picocli.CommandLine.Option;

/// The options of output that every verb accepts, so that a script can pass them to all verbs. For
/// verbs that print neither progress nor colours.
public final class PlainOutput {
    @Option(names = "--json", description = "Print one JSON document on standard output.")
    public boolean json;

    @Option(names = "--quiet", description = "Print no progress; this verb never does.")
    public boolean quiet;

    @Option(names = "--no-color", description = "No colours; this verb never prints any.")
    boolean noColor;
}
