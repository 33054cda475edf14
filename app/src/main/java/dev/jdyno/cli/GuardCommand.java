package dev.jdyno.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

@Command(
        name = "guard",
        mixinStandardHelpOptions = true,
        description = "Daily run: store, compare with history, exit 4 on a regression. (not yet)")
final class GuardCommand implements Callable<Integer> {
    /// Whatever is given: the answer is the same.
    @Unmatched private List<String> arguments = List.of();

    @Override
    public Integer call() {
        throw NotYet.verb("guard", arguments);
    }
}
