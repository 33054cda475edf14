package dev.jdyno.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

@Command(
        name = "tune",
        mixinStandardHelpOptions = true,
        description = "Try prescriptions against the service and prove the gain. (not yet)")
final class TuneCommand implements Callable<Integer> {
    /// Whatever is given: the answer is the same.
    @Unmatched private List<String> arguments = List.of();

    @Override
    public Integer call() {
        throw NotYet.verb("tune", arguments);
    }
}
