package dev.jdyno.cli.terminal;

import dev.jdyno.target.Unfinished;
import java.util.concurrent.CountDownLatch;

/// Ctrl-C as a wish to stop: the first one sets it and gives the verb time to write what it has;
/// the JVM then ends with 130 by itself. A target that was launched is ended after that.
public final class Interrupt implements AutoCloseable {
    /// Exit code of an interrupted run, as shells have it for SIGINT.
    public static final int EXIT_CODE = 130;

    private final Unfinished writing = Unfinished.begin();
    private final Thread hook = new Thread(this::stop, "interrupt");
    private final CountDownLatch asked = new CountDownLatch(1);
    private volatile boolean set;

    public Interrupt() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void stop() {
        set = true;
        asked.countDown();
        try {
            boolean _ = writing.awaitDone();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public boolean isSet() {
        return set;
    }

    /// Waits until Ctrl-C.
    public void await() throws InterruptedException {
        asked.await();
    }

    /// Everything is written; a shutdown that waits may go on.
    @Override
    public void close() {
        writing.close();
        if (!set) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException alreadyEnding) {
                set = true;
            }
        }
    }
}
