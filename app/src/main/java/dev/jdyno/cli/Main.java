package dev.jdyno.cli;

import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING;

import dev.jdyno.cli.gc.GcCommand;
import dev.jdyno.cli.terminal.CleanStream;
import dev.jdyno.cli.terminal.Version;
import dev.jdyno.measure.text.Secrets;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.report.terminal.Ink;
import dev.jdyno.report.terminal.TerminalWriter;
import dev.jdyno.target.Inherited;
import dev.jdyno.target.ReadObjects;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/// The command line: parses it, runs one verb, and turns failures into the documented exit codes
/// (docs/contract.md).
@Command(
        name = "jdyno",
        versionProvider = Version.class,
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "VERB",
        description = "A dynamometer for JVM services: load it, watch it, name what limits it.",
        footer = {"", "Start with: jdyno demo", "Help on one verb: jdyno VERB --help"})
public final class Main implements Runnable {
    /// Option of the processes that share a load.
    private static final String PART = "--part";

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
        // Must run before any foreign data is read. If another filter is set already, it stays.
        boolean _ = ReadObjects.guardJvm();
        var out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        var err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        if (isVersion(args)) {
            System.exit(version(out));
        }
        // Output of a library or of a dying thread may also contain text from other sources.
        System.setErr(CleanStream.into(TerminalWriter.over(err, TerminalWriter.Form.TEXT)));
        System.exit(run(out, err, args));
    }

    /// True for `jdyno --version` alone. It is answered without reading the options of every verb,
    /// which would take twice the start-up time of the JVM.
    private static boolean isVersion(String[] args) {
        return args.length == 1 && (args[0].equals("--version") || args[0].equals("-V"));
    }

    private static int version(PrintWriter out) {
        out.println("jdyno " + Version.text());
        return 0;
    }

    /// Runs one command line. All output goes through {@link TerminalWriter}.
    ///
    /// @return the exit code (docs/contract.md)
    public static int run(PrintWriter toOut, PrintWriter toErr, String... args) {
        PrintWriter out = TerminalWriter.over(toOut, formOfOut(args));
        PrintWriter err = TerminalWriter.over(toErr, TerminalWriter.Form.TEXT);
        Optional<GcCommand> logs = GcCommand.ofFiles(args);
        if (logs.isPresent()) {
            try {
                return logs.get().run(out, err);
            } catch (Exception failure) {
                return report(failure, err);
            }
        }
        return parsed(out, err, args);
    }

    private static int parsed(PrintWriter out, PrintWriter err, String... args) {
        var main = new Main();
        var commandLine = new CommandLine(main);
        Verbs.addTo(commandLine, args.length == 0 ? "" : args[0]);
        commandLine.setOut(out);
        commandLine.setErr(err);
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        commandLine.setUsageHelpWidth(100);
        commandLine.setExpandAtFiles(false); // -b @FILE is a body, as in curl
        commandLine.setExecutionExceptionHandler((failure, _, _) -> {
            if (main.debug) {
                var trace = new StringWriter();
                failure.printStackTrace(new PrintWriter(trace));
                err.print(Secrets.text(trace.toString()));
            }
            return report(failure, err);
        });
        commandLine.setParameterExceptionHandler((mistake, _) -> misused(mistake, err));
        // All texts of the help are jdyno's own.
        var sections = new HashMap<>(commandLine.getHelpSectionMap());
        sections.replaceAll((_, section) -> help -> Ink.ours(section.render(help)));
        commandLine.setHelpSectionMap(sections);
        Map<String, CommandLine.IHelpSectionRenderer> ofAll = new HashMap<>(sections);
        ofAll.put(SECTION_KEY_COMMAND_LIST, help -> Ink.ours(Verbs.list(help)));
        ofAll.remove(SECTION_KEY_COMMAND_LIST_HEADING);
        commandLine.getCommandSpec().usageMessage().sectionMap(ofAll);
        ParseMistakes.collectIn(commandLine);
        commandLine.setExecutionStrategy(parsed -> {
            try {
                ParseMistakes.throwIfAny(parsed);
                NeedsLinux.check(System.getProperty("os.name", ""), parsed);
            } catch (UserError e) {
                return report(e, err);
            }
            if (main.debug) {
                sayWhatIsSetAside(err, args);
            }
            return new CommandLine.RunLast().execute(parsed);
        });
        return commandLine.execute(args);
    }

    /// Prints the variables that the launcher set aside. With a shared load, only one process
    /// prints them.
    private static void sayWhatIsSetAside(PrintWriter err, String... args) {
        Set<String> names = Inherited.setAside(System.getenv());
        if (!names.isEmpty() && !List.of(args).contains(PART)) {
            err.println(
                    "jdyno runs without "
                            + String.join(", ", names)
                            + "; services that it launches get them");
        }
    }

    /// The form of standard output: JSON with `--json` and between the processes of one load, else
    /// text.
    private static TerminalWriter.Form formOfOut(String... args) {
        return List.of(args).stream().anyMatch(a -> a.equals("--json") || a.equals(PART))
                ? TerminalWriter.Form.JSON
                : TerminalWriter.Form.TEXT;
    }

    private static int misused(CommandLine.ParameterException mistake, PrintWriter err) {
        err.println(mistake.getMessage());
        mistake.getCommandLine().usage(err);
        return CommandLine.ExitCode.USAGE;
    }

    private static int report(Exception failure, PrintWriter err) {
        if (failure instanceof UserError e) {
            Failures.print(e, err);
            return e.kind().exitCode();
        }
        err.println("error: jdyno itself failed");
        err.println("  why: " + Secrets.text(failure.toString()));
        err.println("  fix: run it again with --debug and report the stack trace");
        return UserError.Kind.TARGET.exitCode();
    }
}
