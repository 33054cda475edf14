package dev.jdyno.cluster;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/// Ends a process whose heap stays full. Such a process neither works nor ends. HotSpot drops a
/// SIGTERM if it cannot create a thread for it, JGroups' threads end without a message, and the
/// remaining threads keep the JVM alive.
///
/// Both threads of the guard are started while there is memory.
public final class HeapGuard implements AutoCloseable {
    /// Share of the heap in use after a collection from which the heap counts as full. Then the
    /// collector can free almost nothing.
    static final double FULL_SHARE = 0.95;

    /// Number of consecutive checks, each after a new collection, that must find the heap full.
    static final int FULL_CHECKS = 3;

    private static final long CHECK_INTERVAL_NANOS = 1_000_000_000;

    /// Read in advance, so that its class is loaded before memory is short.
    private static final int EXIT_CODE = UserError.Kind.INVALID.exitCode();

    /// Maximum time for the process to end in order.
    private static final Duration PATIENCE = Duration.ofSeconds(35);

    private final List<GarbageCollectorMXBean> collectors =
            ManagementFactory.getGarbageCollectorMXBeans();
    private final List<MemoryPoolMXBean> pools =
            ManagementFactory.getMemoryPoolMXBeans().stream()
                    .filter(p -> p.getType() == MemoryType.HEAP)
                    .filter(MemoryPoolMXBean::isUsageThresholdSupported) // not young generations
                    .filter(MemoryPoolMXBean::isCollectionUsageThresholdSupported)
                    .toList();
    private final Judge judge = new Judge();
    private final CountDownLatch full = new CountDownLatch(1);
    private volatile UserError why = full("too much");
    private final Thread watch =
            Thread.ofPlatform().name("jdyno-heap").daemon().unstarted(this::watch);
    private final Thread ending;
    private final long patienceNanos;
    private volatile boolean closed;

    private HeapGuard(Consumer<UserError> end, Duration patience) {
        this.patienceNanos = patience.toNanos();
        boolean _ = isFull(); // loads the classes that it needs
        this.ending =
                Thread.ofPlatform().name("jdyno-heap-full").daemon().unstarted(() -> end(end));
    }

    /// @param end ends the process, on a thread of its own; after {@link #PATIENCE} the JVM is
    ///   halted
    public static HeapGuard start(Consumer<UserError> end) {
        return start(end, PATIENCE);
    }

    static HeapGuard start(Consumer<UserError> end, Duration patience) {
        var guard = new HeapGuard(end, patience);
        guard.ending.start();
        guard.watch.start();
        return guard;
    }

    /// Decides from a series of checks whether the heap stays full.
    static final class Judge {
        private long seen;
        private int fullChecks;

        /// @param collections number of collections since the JVM began; a check without a new
        ///   collection does not count
        /// @param share of the heap in use after the last collection
        /// @return true if the heap stays full
        boolean isFull(long collections, double share) {
            if (share < FULL_SHARE) {
                fullChecks = 0;
            } else if (collections > seen) {
                fullChecks++;
            }
            seen = collections;
            return fullChecks >= FULL_CHECKS;
        }
    }

    private void watch() {
        boolean isFull = false;
        while (!closed && !isFull) {
            isFull = sleep(CHECK_INTERVAL_NANOS) || looks();
        }
        if (closed) {
            return;
        }
        full.countDown();
        boolean _ = sleep(patienceNanos);
        Runtime.getRuntime().halt(EXIT_CODE);
    }

    private boolean looks() {
        try {
            return isFull();
        } catch (OutOfMemoryError | LinkageError evenForThis) {
            return true;
        }
    }

    /// Sleeps. Even waiting may need memory, so errors are caught: none may end this thread.
    ///
    /// @return true if memory was missing
    private boolean sleep(long nanos) {
        boolean none = false;
        long end = NanoClock.SYSTEM.nanos() + nanos;
        for (long left = nanos; left > 0 && !closed; left = end - NanoClock.SYSTEM.nanos()) {
            try {
                LockSupport.parkNanos(left);
            } catch (OutOfMemoryError | LinkageError evenForThis) {
                none = true;
            }
        }
        return none;
    }

    private boolean isFull() {
        long collections =
                collectors.stream().mapToLong(GarbageCollectorMXBean::getCollectionCount).sum();
        double share = pools.stream().mapToDouble(HeapGuard::shareLeft).max().orElse(0);
        if (!judge.isFull(collections, share)) {
            return false;
        }
        why = full(String.format(Locale.ROOT, "%.0f %% of it", 100 * share));
        return true;
    }

    /// Share of a pool with a maximum size in use after a collection; 0 for other pools.
    private static double shareLeft(MemoryPoolMXBean pool) {
        MemoryUsage left = pool.getCollectionUsage();
        return left == null || left.getMax() <= 0 ? 0 : (double) left.getUsed() / left.getMax();
    }

    private static UserError full(String left) {
        return new UserError(
                UserError.Kind.INVALID,
                "its heap is full",
                "collections leave " + left + " in use",
                "give its JVM more memory, such as JDYNO_OPTS=-Xmx1g");
    }

    private void end(Consumer<UserError> end) {
        try {
            full.await();
            end.accept(why);
        } catch (InterruptedException notFull) {
            Thread.currentThread().interrupt();
        }
    }

    /// Stops the guard if the heap was not full. A process that ends because of a full heap is
    /// still halted.
    @Override
    public void close() {
        if (full.getCount() > 0) {
            closed = true;
            LockSupport.unpark(watch);
            ending.interrupt();
        }
    }
}
