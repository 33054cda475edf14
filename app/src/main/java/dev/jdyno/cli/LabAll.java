package dev.jdyno.cli;

import dev.jdyno.cli.options.OutputFolder;
import dev.jdyno.cli.terminal.Interrupt;
import dev.jdyno.cli.terminal.LiveView;
import dev.jdyno.cli.terminal.OutputOptions;
import dev.jdyno.experiment.Lab;
import dev.jdyno.experiment.Published;
import dev.jdyno.experiment.all.AllExperiments;
import dev.jdyno.experiment.all.Done;
import dev.jdyno.files.PrivateFiles;
import dev.jdyno.history.Entries;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.report.AllReport;
import dev.jdyno.report.terminal.TerminalReport;
import dev.jdyno.trial.MachineFacts;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// `jdyno lab all`: every published experiment, on one page.
///
/// @param resume the folder of a run that was interrupted
record LabAll(OutputOptions output, Optional<Path> resume, boolean quick) {
    private static final String PAGE = "experiments.md";

    int run(PrintWriter out, PrintWriter err) throws IOException, InterruptedException {
        Path folder =
                resume.isPresent()
                        ? OutputFolder.open(resume.get())
                        : OutputFolder.create(output.out(), "lab-all");
        var view = new LiveView(err, new TerminalReport(output.colour()), output);
        try (var interrupt = new Interrupt()) {
            var all =
                    new AllExperiments(
                            Published.all(),
                            () ->
                                    Lab.open(
                                            DemoCommand.LabJarProperty.get(),
                                            Path.of(System.getProperty("java.home"))),
                            folder,
                            view,
                            NanoClock.SYSTEM,
                            interrupt::isSet,
                            quick);
            view.say(
                    "about "
                            + Math.max(1, all.estimate().toMinutes())
                            + " minutes; Ctrl-C keeps what is done: jdyno lab all --resume "
                            + folder);
            List<Done> done = all.run();
            String page = AllReport.markdown(done, Published.all().size(), conditions());
            PrivateFiles.write(folder.resolve(PAGE), page);
            view.say("");
            out.print(page);
            out.flush();
            view.say("written to " + folder.resolve(PAGE));
            if (interrupt.isSet()) {
                return Interrupt.EXIT_CODE;
            }
            boolean held = done.stream().noneMatch(d -> d.outcome() == Done.Outcome.NOT_HELD);
            return held ? 0 : UserError.Kind.INVALID.exitCode();
        }
    }

    private AllReport.Conditions conditions() {
        String command = "jdyno lab all" + (quick ? " --quick" : "");
        return new AllReport.Conditions(
                MachineFacts.read(),
                Entries.machine().cpu(),
                Runtime.version().toString(),
                command);
    }
}
