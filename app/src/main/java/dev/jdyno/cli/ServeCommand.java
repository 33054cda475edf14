package dev.jdyno.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        description = "Web page of stored runs, live runs and trends. (not yet)")
final class ServeCommand implements Callable<Integer> {
    /// Whatever is given: the answer is the same.
    @Unmatched private List<String> arguments = List.of();

    @Override
    public Integer call() {
        throw NotYet.verb("serve", arguments);
    }
}
