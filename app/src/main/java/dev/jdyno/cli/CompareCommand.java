package dev.jdyno.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        description = "Compare two configurations or two stored runs. (not yet)")
final class CompareCommand implements Callable<Integer> {
    /// Whatever is given: the answer is the same.
    @Unmatched private List<String> arguments = List.of();

    @Override
    public Integer call() {
        throw NotYet.verb("compare", arguments);
    }
}
