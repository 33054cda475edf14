package dev.jdyno.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description =
                "Load a service in steps, watch it, find the knee, name the bottleneck. (not yet)")
final class RunCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        throw NotYet.verb("run");
    }
}
