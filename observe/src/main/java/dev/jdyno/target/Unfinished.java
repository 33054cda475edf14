package dev.jdyno.target;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Work that goes on for a while after a signal: measuring ends, changes and observers are taken
/// back, what was measured is written. A signal runs all shutdown hooks at once, so who ends the
/// targets that we launched waits for it here: a target that is killed first takes its evidence
/// with it.
public final class Unfinished implements AutoCloseable {
    /// After this the process ends whether or not the work is done.
    public static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Set<Unfinished> ALL = ConcurrentHashMap.newKeySet();

    private final CountDownLatch done = new CountDownLatch(1);

    private Unfinished() {}

    public static Unfinished begin() {
        var work = new Unfinished();
        ALL.add(work);
        return work;
    }

    /// It is done.
    @Override
    public void close() {
        done.countDown();
        ALL.remove(this);
    }

    /// Waits for all of it, at most for {@link #PATIENCE} each.
    static void await() throws InterruptedException {
        for (Unfinished work : ALL) {
            work.awaitDone();
        }
    }

    /// @return whether it was done in time
    public boolean awaitDone() throws InterruptedException {
        return done.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }
}
