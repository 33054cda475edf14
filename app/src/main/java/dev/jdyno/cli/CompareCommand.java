package dev.jdyno.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        description = "Compare two configurations or two stored runs. (not yet)")
final class CompareCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        throw NotYet.verb("compare");
    }
}
