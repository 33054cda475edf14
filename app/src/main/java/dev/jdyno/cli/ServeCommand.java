package dev.jdyno.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        description = "Web page of stored runs, live runs and trends. (not yet)")
final class ServeCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        throw NotYet.verb("serve");
    }
}
