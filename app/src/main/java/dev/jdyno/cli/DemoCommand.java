package dev.jdyno.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description =
                "Start the sample service, put it on the dyno, name what limits it. (not yet)")
final class DemoCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        throw NotYet.verb("demo");
    }
}
