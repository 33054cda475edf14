package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Services;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Reads its standard input at a given rate until it ends.
@Command(name = "slow-reader", description = "Reads standard input slowly.")
public final class SlowReader implements Callable<Integer> {
    private static final int READS_PER_SECOND = 50;

    @Option(names = "--rate", required = true, description = "Kilobytes a second.")
    private int rate;

    /// Accepted but not used, because the input ends when the parent ends.
    @Option(names = "--parent", hidden = true)
    private long parent;

    public static void main(String... args) {
        Services.main(new SlowReader(), args);
    }

    @Override
    public Integer call() throws Exception {
        byte[] part = new byte[rate * 1024 / READS_PER_SECOND];
        while (System.in.read(part) >= 0) {
            Thread.sleep(1000 / READS_PER_SECOND);
        }
        return parent == 0 ? 1 : 0;
    }
}
