package dev.jdyno.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(
        name = "heap",
        mixinStandardHelpOptions = true,
        description =
                "Predict a generational heap's behaviour from request memory and flags. (not yet)")
final class HeapCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        throw NotYet.verb("heap");
    }
}
