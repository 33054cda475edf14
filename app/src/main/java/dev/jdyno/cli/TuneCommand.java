package dev.jdyno.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(
        name = "tune",
        mixinStandardHelpOptions = true,
        description = "Try prescriptions against the service and prove the gain. (not yet)")
final class TuneCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        throw NotYet.verb("tune");
    }
}
