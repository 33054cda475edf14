package dev.jdyno.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Ctrl-C as a wish to stop: the first one sets it and gives the verb time to write what it has;
/// the JVM then ends with 130 by itself.
final class Interrupt implements AutoCloseable {
    /// After this the process ends whether or not the result is written.
    private static final int PATIENCE_SECONDS = 30;

    private final CountDownLatch written = new CountDownLatch(1);
    private final Thread hook = new Thread(this::stop, "interrupt");
    private volatile boolean set;

    Interrupt() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void stop() {
        set = true;
        try {
            boolean _ = written.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    boolean isSet() {
        return set;
    }

    /// Everything is written; a shutdown that waits may go on.
    @Override
    public void close() {
        written.countDown();
        if (!set) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException alreadyEnding) {
                set = true;
            }
        }
    }
}
