package dev.jdyno.cli;

import dev.jdyno.cli.options.KeepOptions;
import dev.jdyno.cli.options.OptionTexts;
import dev.jdyno.cli.terminal.Interrupt;
import dev.jdyno.cli.terminal.OutputOptions;
import dev.jdyno.experiment.Demo;
import dev.jdyno.experiment.lab.Lab;
import dev.jdyno.experiment.lab.LabJar;
import java.net.URI;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = {
            "Try jdyno on a sample service: load it, name what limits it, write the report.",
            "",
            "For each request, the service uses 10 ms of CPU and makes a call of 80 ms"
                    + " (experiment E1). jdyno starts and ends both the service and the one that"
                    + " it calls."
        },
        footer = {"", "Example:", "  jdyno demo --out /tmp/demo"})
final class DemoCommand implements Callable<Integer> {
    @Mixin private KeepOptions keeping = new KeepOptions();

    @Mixin private OutputOptions output = new OutputOptions();

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        var commandLine = spec.commandLine();
        String typed = OptionTexts.typed(spec);
        Optional<Path> services = LabJarProperty.get();
        try (Interrupt interrupt = new Interrupt();
                Lab lab = Lab.open(services, Path.of(System.getProperty("java.home")))) {
            if (!output.quiet) {
                commandLine.getErr().println(Demo.FIRST_MESSAGE);
                commandLine.getErr().flush();
            }
            return new DynoRun(output, commandLine.getOut(), commandLine.getErr(), typed)
                    .kept(keeping, around(services))
                    .run(Demo.start(lab), interrupt);
        }
    }

    /// The folder of the lab's jar: the sample service comes with jdyno, not from the user's
    /// repository.
    private static Path around(Optional<Path> services) {
        return services.flatMap(jar -> Optional.ofNullable(jar.toAbsolutePath().getParent()))
                .orElse(Path.of(System.getProperty("java.home")));
    }

    /// The lab's jar: one that a property names (tests in the source tree), or the one beside
    /// jdyno's own or inside it.
    static final class LabJarProperty {
        private LabJarProperty() {}

        static Optional<Path> get() {
            return Optional.ofNullable(System.getProperty("lab.jar"))
                    .map(Path::of)
                    .or(() -> own().flatMap(LabJar::of));
        }

        private static Optional<Path> own() {
            return Optional.ofNullable(DemoCommand.class.getProtectionDomain().getCodeSource())
                    .map(CodeSource::getLocation)
                    .map(url -> Path.of(URI.create(url.toString())));
        }
    }
}
