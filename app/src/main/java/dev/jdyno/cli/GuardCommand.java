package dev.jdyno.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(
        name = "guard",
        mixinStandardHelpOptions = true,
        description = "Daily run: store, compare with history, exit 4 on a regression. (not yet)")
final class GuardCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        throw NotYet.verb("guard");
    }
}
