package dev.jdyno.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(
        name = "gc",
        mixinStandardHelpOptions = true,
        description = "Read GC logs of any HotSpot version and collector. (not yet)")
final class GcCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        throw NotYet.verb("gc");
    }
}
