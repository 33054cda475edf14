package dev.jdyno.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(
        name = "load",
        mixinStandardHelpOptions = true,
        description = "Only load a URL, as wrk, ab and k6 do. (not yet)")
final class LoadCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        throw NotYet.verb("load");
    }
}
