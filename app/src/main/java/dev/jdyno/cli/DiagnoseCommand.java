package dev.jdyno.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

@Command(
        name = "diagnose",
        mixinStandardHelpOptions = true,
        description = "Watch a JVM under the load it has now and name its bottleneck. (not yet)")
final class DiagnoseCommand implements Callable<Integer> {
    /// Whatever is given: the answer is the same.
    @Unmatched private List<String> arguments = List.of();

    @Override
    public Integer call() {
        throw NotYet.verb("diagnose", arguments);
    }
}
