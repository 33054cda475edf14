package dev.jdyno.cli;

import dev.jdyno.cli.doctor.Doctor;
import dev.jdyno.cli.doctor.Finding;
import dev.jdyno.cli.doctor.Finding.State;
import dev.jdyno.cli.doctor.Host;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.report.json.JsonDocument;
import dev.jdyno.report.terminal.Ink;
import java.io.Console;
import java.io.PrintWriter;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        description = {
            "Check this machine for what the other verbs need.",
            "",
            "One line each, with the fix: ok, note (it works, with less to see or more scatter), bad (a"
                    + " verb fails here, or its figures would mislead now), unseen. Watches the CPU for"
                    + " two seconds."
        },
        footer = {
            "",
            "Exit code: 0, or 1 when anything is bad.",
            "",
            "Example: jdyno doctor && jdyno demo"
        })
final class DoctorCommand implements Callable<Integer> {
    @Option(names = "--json", description = "Print one JSON document.")
    private boolean json;

    @Option(names = "--quiet", description = "Leave out what is ok.")
    private boolean quiet;

    @Option(names = "--no-color", description = "No colours, as with NO_COLOR.")
    private boolean noColor;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        List<Finding> found = Doctor.examine(thisMachine());
        PrintWriter out = spec.commandLine().getOut();
        out.print(json ? json(found) : lines(found, quiet, colours()));
        out.flush();
        return exitCode(found);
    }

    static int exitCode(List<Finding> found) {
        return found.stream().anyMatch(f -> f.state() == State.BAD) ? 1 : 0;
    }

    static String lines(List<Finding> found, boolean quiet, boolean colours) {
        var text = new StringBuilder();
        for (Finding f : found) {
            if (quiet && f.state() == State.OK) {
                continue;
            }
            String state = String.format(Locale.ROOT, "%-7s", f.state().key());
            text.append(colours ? ink(f.state()).on(state) : state)
                    .append(String.format(Locale.ROOT, "%-12s", f.id()))
                    .append(f.says());
            f.fix().ifPresent(m -> text.append(" -> ").append(m));
            text.append('\n');
        }
        Function<State, Long> count = s -> found.stream().filter(f -> f.state() == s).count();
        return text.append(count.apply(State.OK))
                .append(" ok, ")
                .append(count.apply(State.NOTE))
                .append(" to note, ")
                .append(count.apply(State.BAD))
                .append(" bad, ")
                .append(count.apply(State.UNSEEN))
                .append(" unseen\n")
                .toString();
    }

    static String json(List<Finding> found) {
        return JsonDocument.text(DoctorDocument.of(found, exitCode(found) == 0)) + "\n";
    }

    // JDK 25 took java.base's console back as the default, and that one is null when piped
    @SuppressWarnings("SystemConsoleNull")
    private boolean colours() {
        Console console = System.console();
        return !noColor
                && System.getenv("NO_COLOR") == null
                && console != null
                && console.isTerminal();
    }

    private static Ink ink(State state) {
        return switch (state) {
            case OK -> Ink.GREEN;
            case NOTE -> Ink.YELLOW;
            case BAD -> Ink.RED;
            case UNSEEN -> Ink.DIM;
        };
    }

    private static Host thisMachine() {
        return new Host(
                Path.of("/"),
                Path.of(System.getProperty("java.io.tmpdir")),
                Path.of("").toAbsolutePath(),
                ProcessHandle.current().pid(),
                System.getProperty("user.name"),
                Runtime.version(),
                m -> ModuleFinder.ofSystem().find(m).isPresent(),
                Runtime.getRuntime().availableProcessors(),
                NanoClock.SYSTEM,
                Thread::sleep);
    }
}
