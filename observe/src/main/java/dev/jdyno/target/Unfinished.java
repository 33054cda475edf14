package dev.jdyno.target;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Work that continues for a while after a signal: measuring ends, changes and observers are
/// removed, results are written. A signal runs all shutdown hooks at once, so the hook that ends
/// launched targets waits for this work: evidence is lost if the target is killed first.
public final class Unfinished implements AutoCloseable {
    /// Maximum time for the work; after it the process ends whether or not it is done.
    public static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Set<Unfinished> ALL = ConcurrentHashMap.newKeySet();

    private final CountDownLatch done = new CountDownLatch(1);

    private Unfinished() {}

    public static Unfinished begin() {
        var work = new Unfinished();
        ALL.add(work);
        return work;
    }

    /// Marks the work as done.
    @Override
    public void close() {
        done.countDown();
        ALL.remove(this);
    }

    /// Waits for all work, at most {@link #PATIENCE} each.
    static void await() throws InterruptedException {
        for (Unfinished work : ALL) {
            work.awaitDone();
        }
    }

    /// @return true if it was done in time
    public boolean awaitDone() throws InterruptedException {
        return done.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }
}
