package dev.jdyno.cli;

import dev.jdyno.cli.options.StoreOption;
import dev.jdyno.cli.terminal.Interrupt;
import dev.jdyno.cli.terminal.LineWriter;
import dev.jdyno.cli.terminal.Version;
import dev.jdyno.serve.StoredResults;
import dev.jdyno.serve.mcp.Caller;
import dev.jdyno.serve.mcp.Folders;
import dev.jdyno.serve.mcp.ToolServer;
import dev.jdyno.serve.mcp.Tools;
import dev.jdyno.serve.mcp.Verb;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Serves tools for assistants.
@Command(
        name = "mcp",
        mixinStandardHelpOptions = true,
        description = {
            "Offer results, diagnoses and GC logs as tools to an assistant in an editor.",
            "",
            "Speaks the Model Context Protocol on standard input and output. It only reads, and"
                    + " loads nothing unless --allow-load is given."
        },
        footer = {
            "",
            "Examples:",
            "  claude mcp add jdyno -- jdyno mcp --files .",
            "  jdyno mcp --files /var/log/jvms --store postgresql://team@db/jdyno",
        })
final class McpCommand implements Callable<Integer> {
    @Option(
            names = "--files",
            paramLabel = "FOLDER",
            description =
                    "Recorded files, GC logs and plans are read below this folder only (default: the"
                            + " current one, unless that is / or your home folder; may be given"
                            + " again).")
    private List<Path> files = List.of();

    @Option(
            names = "--allow-load",
            description =
                    "Offer the tool run, too: it loads the service of a plan, and starts the"
                            + " command that the plan launches.")
    private boolean loads;

    @Mixin private StoreOption store = new StoreOption();

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        Folders folders =
                files.isEmpty() ? Folders.current(Path.of(""), homes()) : Folders.of(files);
        var tools = new Tools(new StoredResults(store.open()), folders, this::run, loads);
        PrintStream protocol = System.out;
        // Other output must not mix with the messages on standard output.
        System.setOut(System.err);
        PrintWriter err = spec.commandLine().getErr();
        ToolServer.serve(System.in, protocol, err, tools, Version.text());
        return 0;
    }

    /// The home folders that the environment and the user database name; under sudo they differ.
    private static List<Path> homes() {
        return Stream.of(
                        Optional.ofNullable(System.getenv("HOME")),
                        Optional.ofNullable(System.getProperty("user.home")))
                .flatMap(Optional::stream)
                .filter(h -> !h.isBlank())
                .map(Path::of)
                .toList();
    }

    private Verb.Outcome run(List<String> words, Caller caller) {
        List<String> all = new ArrayList<>(words);
        if (words.getFirst().equals("run")) {
            all.addAll(store.words());
        }
        var out = new StringWriter();
        var err = new StringWriter();
        int exitCode =
                ScopedValue.where(Interrupt.ALSO, caller.cancelled())
                        .call(() ->
                                Main.run(
                                        new PrintWriter(out, true),
                                        new PrintWriter(
                                                new LineWriter(err, caller.progress()), true),
                                        all.toArray(String[]::new)));
        return new Verb.Outcome(exitCode, out.toString(), err.toString());
    }
}
