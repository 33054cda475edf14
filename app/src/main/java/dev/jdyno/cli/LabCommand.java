package dev.jdyno.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(
        name = "lab",
        mixinStandardHelpOptions = true,
        description =
                "Run a published experiment here, published and measured side by side. (not yet)")
final class LabCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        throw NotYet.verb("lab");
    }
}
