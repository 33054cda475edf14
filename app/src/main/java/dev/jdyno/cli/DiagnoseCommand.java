package dev.jdyno.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(
        name = "diagnose",
        mixinStandardHelpOptions = true,
        description = "Watch a JVM under the load it has now and name its bottleneck. (not yet)")
final class DiagnoseCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        throw NotYet.verb("diagnose");
    }
}
