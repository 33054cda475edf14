package dev.jdyno.cli;

import dev.jdyno.cli.options.OptionTexts;
import dev.jdyno.cli.options.OutputFolder;
import dev.jdyno.cli.terminal.Interrupt;
import dev.jdyno.cli.terminal.LiveView;
import dev.jdyno.cli.terminal.OutputOptions;
import dev.jdyno.cli.terminal.Version;
import dev.jdyno.experiment.Published;
import dev.jdyno.experiment.all.AllExperiments;
import dev.jdyno.experiment.all.AllExperiments.Extent;
import dev.jdyno.experiment.all.Chosen;
import dev.jdyno.experiment.all.Done;
import dev.jdyno.experiment.form.AllReport;
import dev.jdyno.experiment.lab.Lab;
import dev.jdyno.files.PrivateFiles;
import dev.jdyno.history.Entries;
import dev.jdyno.inside.MachineFacts;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.ShellText;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// `jdyno lab all`: every published experiment, on one page.
///
/// @param resume folder of a run that was interrupted or that left experiments out
/// @param command command line as typed
record LabAll(OutputOptions output, Optional<Path> resume, Extent extent, String command) {
    private static final String PAGE = "experiments.md";

    /// Reads the options.
    ///
    /// @param only ids and ranges of ids; empty: all experiments
    /// @param budget maximum time; empty: no limit
    /// @throws UserError with every mistake
    static Extent extent(Optional<String> only, Optional<String> budget, boolean quick) {
        var problems = Problems.ofCommand("jdyno lab");
        Set<String> ids = Chosen.of(only.orElse(allOfThem()), Published.all(), "--only", problems);
        Optional<Duration> max =
                OptionTexts.optional("--budget", budget.orElse(null), Durations::parse, problems);
        problems.throwIfAny();
        return new Extent(ids, max, quick);
    }

    private static String allOfThem() {
        return Published.all().getFirst().id() + "-" + Published.all().getLast().id();
    }

    int run(PrintWriter out, PrintWriter err) throws IOException, InterruptedException {
        Path folder =
                resume.isPresent()
                        ? OutputFolder.open(resume.get())
                        : OutputFolder.create(output.out(), "lab-all");
        var view = new LiveView(err, output);
        Optional<Path> services = DemoCommand.LabJarProperty.get();
        try (var interrupt = new Interrupt()) {
            var all =
                    new AllExperiments(
                            Published.all(),
                            () -> Lab.open(services, Path.of(System.getProperty("java.home"))),
                            folder,
                            view,
                            NanoClock.SYSTEM,
                            interrupt::isSet,
                            extent);
            view.say(announced(all, folder));
            List<Done> done = all.run();
            String page = AllReport.markdown(done, Published.all(), conditions());
            PrivateFiles.write(folder.resolve(PAGE), page);
            view.say("");
            out.print(page);
            out.flush();
            view.say("written to " + folder.resolve(PAGE));
            if (!all.left().isEmpty()) {
                view.say("left: " + String.join(", ", all.left()) + "; go on: " + again(folder));
            }
            if (interrupt.isSet()) {
                return Interrupt.EXIT_CODE;
            }
            boolean held = done.stream().noneMatch(d -> d.outcome() == Done.Outcome.NOT_HELD);
            return held ? 0 : UserError.Kind.INVALID.exitCode();
        }
    }

    private AllReport.Conditions conditions() {
        return new AllReport.Conditions(
                MachineFacts.read(),
                Entries.machine().cpu(),
                Runtime.version().toString(),
                Version.text(),
                command);
    }

    private static String announced(AllExperiments all, Path folder) {
        List<String> left = all.left();
        return left.isEmpty()
                ? "nothing is left to run"
                : "about "
                        + Durations.format(all.estimate())
                        + " for "
                        + String.join(", ", left)
                        + "; Ctrl-C keeps what is done: "
                        + again(folder);
    }

    private static String again(Path folder) {
        return "jdyno lab all --resume " + ShellText.word(folder.toString());
    }
}
