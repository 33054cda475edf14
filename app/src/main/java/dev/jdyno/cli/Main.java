package dev.jdyno.cli;

import dev.jdyno.measure.UserError;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/// The command line: parses, runs one verb, turns failures into the exit codes of the contract.
@Command(
        name = "jdyno",
        versionProvider = Version.class,
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "VERB",
        description = "A dynamometer for JVM services: load it, watch it, name what limits it.",
        footer = {"", "Start with: jdyno demo", "Help on one verb: jdyno VERB --help"},
        subcommands = {
            DemoCommand.class,
            RunCommand.class,
            LoadCommand.class,
            GcCommand.class,
            HeapCommand.class,
            WhatIfCommand.class,
            ThreadsCommand.class,
            DiagnoseCommand.class,
            TuneCommand.class,
            CompareCommand.class,
            GuardCommand.class,
            ServeCommand.class,
            LabCommand.class,
            DoctorCommand.class,
        })
public final class Main implements Runnable {
    @Option(
            names = "--debug",
            scope = ScopeType.INHERIT,
            description = "Print the stack trace of a failure.")
    private boolean debug;

    @Spec private CommandSpec spec;

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "Missing verb");
    }

    public static void main(String[] args) {
        var out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        var err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        System.exit(isVersion(args) ? version(out) : run(out, err, args));
    }

    /// `jdyno --version` alone: answered without reading every verb's options, which takes twice
    /// the start-up time of the JVM.
    private static boolean isVersion(String[] args) {
        return args.length == 1 && (args[0].equals("--version") || args[0].equals("-V"));
    }

    private static int version(PrintWriter out) {
        out.println("jdyno " + Version.text());
        return 0;
    }

    /// Runs one command line.
    ///
    /// @return the exit code of the contract
    static int run(PrintWriter out, PrintWriter err, String... args) {
        var main = new Main();
        var commandLine = new CommandLine(main);
        commandLine.setOut(out);
        commandLine.setErr(err);
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        commandLine.setUsageHelpWidth(100);
        commandLine.setExpandAtFiles(false); // -b @FILE is a body, as in curl
        commandLine.setExecutionExceptionHandler((failure, _, _) -> {
            if (main.debug) {
                failure.printStackTrace(err);
            }
            return report(failure, err);
        });
        return commandLine.execute(args);
    }

    private static int report(Exception failure, PrintWriter err) {
        if (failure instanceof UserError e) {
            Failures.print(e, err);
            return e.kind().exitCode();
        }
        err.println("error: jdyno itself failed");
        err.println("  why: " + failure);
        err.println("  fix: run it again with --debug and report the stack trace");
        return UserError.Kind.TARGET.exitCode();
    }
}
