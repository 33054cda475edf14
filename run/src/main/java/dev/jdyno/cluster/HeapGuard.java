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

/// Ends a process whose heap stays full. Such a process neither works nor ends: HotSpot drops a
/// SIGTERM for which it cannot make a thread, JGroups' threads die without a word, and those that
/// are left keep the JVM alive.
///
/// Both of its threads are started while there is memory.
public final class HeapGuard implements AutoCloseable {
    /// Of the heap, after a collection. A collector has hardly anything left to give then.
    static final double FULL_SHARE = 0.95;

    /// Collections one after another, in looks of their own, that leave it full.
    static final int FULL_LOOKS = 3;

    private static final long LOOK_NANOS = 1_000_000_000;

    /// Known, and its class loaded, before it is needed.
    private static final int EXIT_CODE = UserError.Kind.INVALID.exitCode();

    /// How long the process may take to end in order.
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
        boolean _ = isFull(); // what it needs is loaded from now on
        this.ending =
                Thread.ofPlatform().name("jdyno-heap-full").daemon().unstarted(() -> end(end));
    }

    /// @param end ends the process, on a thread of its own; after {@link #PATIENCE} it is halted
    public static HeapGuard start(Consumer<UserError> end) {
        return start(end, PATIENCE);
    }

    static HeapGuard start(Consumer<UserError> end, Duration patience) {
        var guard = new HeapGuard(end, patience);
        guard.ending.start();
        guard.watch.start();
        return guard;
    }

    /// Whether a heap stays full, from what each look finds.
    static final class Judge {
        private long seen;
        private int fullLooks;

        /// @param collections since the JVM began; a look without a new one says nothing new
        /// @param share of the heap that the last one left in use
        /// @return whether it is full for good
        boolean isFull(long collections, double share) {
            if (share < FULL_SHARE) {
                fullLooks = 0;
            } else if (collections > seen) {
                fullLooks++;
            }
            seen = collections;
            return fullLooks >= FULL_LOOKS;
        }
    }

    private void watch() {
        boolean isFull = false;
        while (!closed && !isFull) {
            isFull = sleep(LOOK_NANOS) || looks();
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

    /// Waiting, too, may need memory: nothing may end this thread.
    ///
    /// @return whether there was none
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

    /// Of a pool whose size is limited; 0 for others.
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

    /// Where it was not full; a process that ends because it is is halted nevertheless.
    @Override
    public void close() {
        if (full.getCount() > 0) {
            closed = true;
            LockSupport.unpark(watch);
            ending.interrupt();
        }
    }
}
