package dev.jdyno.cli;

import dev.jdyno.experiment.Bench;
import dev.jdyno.experiment.Comparison;
import dev.jdyno.experiment.Lab;
import dev.jdyno.experiment.Published;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.UserError;
import dev.jdyno.report.ComparisonReport;
import dev.jdyno.report.TerminalReport;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "lab",
        mixinStandardHelpOptions = true,
        description = {
            "Run a published experiment here, published and measured side by side.",
            "Without a name: list them all."
        },
        footer = {"", "Example:", "  jdyno lab E1"})
final class LabCommand implements Callable<Integer> {
    @Parameters(arity = "0..1", paramLabel = "NAME", description = "E1 … E26.")
    private @Nullable String name;

    @Mixin private OutputOptions output = new OutputOptions();

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        if (name == null) {
            out.print(ComparisonReport.catalogue(Published.all(), output.json));
            out.flush();
            return 0;
        }
        Published.Entry entry =
                Published.find(name)
                        .orElseThrow(() ->
                                UserError.usage(
                                        "there is no experiment '" + name + "'",
                                        "the catalogue has E1 to E26",
                                        "see jdyno lab for the list"));
        if (entry.experiment().isEmpty()) {
            throw UserError.usage(
                    "experiment " + entry.id() + " is not built yet",
                    entry.title(),
                    "see jdyno lab for those that are");
        }
        var view =
                new LiveView(
                        spec.commandLine().getErr(), new TerminalReport(output.colour()), output);
        try (Interrupt interrupt = new Interrupt();
                Lab lab =
                        Lab.open(
                                DemoCommand.LabJarProperty.get(),
                                Path.of(System.getProperty("java.home")))) {
            Path folder = OutputFolder.create(output.out(), "lab-" + entry.id());
            var bench = new Bench(lab, folder, view, NanoClock.SYSTEM, interrupt::isSet);
            Optional<Comparison> done = run(entry, bench, interrupt);
            view.say("");
            done.ifPresent(c -> out.print(ComparisonReport.of(c, output.json)));
            out.flush();
            return done.map(c -> c.holds() ? 0 : UserError.Kind.INVALID.exitCode())
                    .orElse(DynoRun.INTERRUPTED);
        }
    }

    private static Optional<Comparison> run(Published.Entry entry, Bench bench, Interrupt interrupt)
            throws InterruptedException {
        try {
            return Optional.of(entry.experiment().orElseThrow().run(bench));
        } catch (UserError e) {
            if (interrupt.isSet()) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
