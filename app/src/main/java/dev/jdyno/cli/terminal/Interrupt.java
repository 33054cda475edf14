package dev.jdyno.cli.terminal;

import dev.jdyno.target.Unfinished;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// Treats Ctrl-C as a request to stop. The first Ctrl-C sets a flag and gives the verb time to
/// write its results. Then the JVM exits with code 130, and at last the launched target is ended.
public final class Interrupt implements AutoCloseable {
    /// Exit code of an interrupted run, the same as that of shells for SIGINT.
    public static final int EXIT_CODE = 130;

    /// A further condition to stop, for the thread in which it is bound: a client of `jdyno mcp`
    /// cancels its call.
    public static final ScopedValue<BooleanSupplier> ALSO = ScopedValue.newInstance();

    private final BooleanSupplier also = ALSO.orElse(() -> false);
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
        return set || also.getAsBoolean();
    }

    /// Waits until Ctrl-C.
    public void await() throws InterruptedException {
        asked.await();
    }

    /// Waits until Ctrl-C, but no longer than the given time.
    ///
    /// @return false if the time is over
    public boolean await(Duration most) throws InterruptedException {
        return asked.await(most.toNanos(), TimeUnit.NANOSECONDS);
    }

    /// Marks that everything is written, so that a waiting shutdown continues.
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
