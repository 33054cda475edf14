package dev.jdyno.cli;

import dev.jdyno.doctor.Doctor;
import dev.jdyno.doctor.Finding;
import dev.jdyno.doctor.Host;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.report.json.DoctorForm;
import dev.jdyno.report.json.JsonDocument;
import dev.jdyno.report.terminal.DoctorLines;
import java.io.Console;
import java.io.PrintWriter;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
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
            "Prints one line for each check, with the fix: ok, note (it works, but shows less or"
                    + " varies more), bad (a verb fails here, or its figures would mislead now),"
                    + " unseen (could not be checked). Watches the CPU for two seconds."
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

    @Option(names = "--quiet", description = "Print only the checks that are not ok.")
    private boolean quiet;

    @Option(names = "--no-color", description = "No colours, as with NO_COLOR.")
    private boolean noColor;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        List<Finding> found = Doctor.examine(thisMachine());
        PrintWriter out = spec.commandLine().getOut();
        out.print(json ? json(found) : DoctorLines.of(found, quiet, colours()));
        out.flush();
        return exitCode(found);
    }

    static int exitCode(List<Finding> found) {
        return Finding.isFine(found) ? 0 : 1;
    }

    static String json(List<Finding> found) {
        return JsonDocument.text(DoctorForm.of(found)) + "\n";
    }

    // In JDK 25, java.base's console is the default again, and it is null if output is piped.
    @SuppressWarnings("SystemConsoleNull")
    private boolean colours() {
        Console console = System.console();
        return !noColor
                && System.getenv("NO_COLOR") == null
                && console != null
                && console.isTerminal();
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
