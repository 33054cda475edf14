package dev.jdyno.observe.gc;

import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.gc.HeapFill;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.ThreadCounts.Stops;
import dev.jdyno.observe.probe.Probe;
import dev.jdyno.target.PerfData;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// GC, safepoints, thread starts and class loads. A thread of jdyno reads them from the target's
/// shared memory: every 20 ms while collections follow each other, and every 100 ms while there are
/// none. The target does no work for it.
public final class GcProbe implements Probe, AutoCloseable {
    /// Shortest time between two readings. At any load worth measuring, the time between two
    /// collections is longer.
    public static final Duration CHECK_INTERVAL = Duration.ofMillis(20);

    /// Longest time between two readings. Each reading without a collection doubles the time until
    /// the next one, up to this.
    public static final Duration QUIET_CHECK_INTERVAL = Duration.ofMillis(100);

    /// Time between two readings.
    ///
    /// @param busy while collections follow each other
    /// @param quiet while there are none
    public record Interval(Duration busy, Duration quiet) {}

    private static final Interval CLOSE = new Interval(CHECK_INTERVAL, QUIET_CHECK_INTERVAL);

    private final @Nullable PerfData perf;
    private final @Nullable GcCounterReader counters;
    private final Optional<String> missing;
    private final GcTally tally = new GcTally();
    private final @Nullable Thread watcher;
    private long startedAtLastTake;
    private @Nullable GcCounters stopsAtLastTake;
    private @Nullable GcCounters atStart;

    private GcProbe(@Nullable PerfData perf, Optional<String> missing, Interval interval) {
        this.perf = perf;
        this.missing = missing;
        if (perf == null) {
            counters = null;
            watcher = null;
            return;
        }
        var reader = new GcCounterReader(perf);
        counters = reader;
        GcCounters now = reader.read();
        startedAtLastTake = now.threadsStarted();
        stopsAtLastTake = now;
        atStart = now;
        tally.add(now);
        watcher =
                Thread.ofPlatform()
                        .name("jdyno-gc-probe")
                        .daemon()
                        .start(() -> watch(reader, interval));
    }

    public static GcProbe open(long pid) {
        return open(pid, CLOSE);
    }

    public static GcProbe open(long pid, Interval interval) {
        try {
            return new GcProbe(PerfData.of(pid), Optional.empty(), interval);
        } catch (UserError none) {
            return new GcProbe(null, Optional.of(none.why()), interval);
        }
    }

    private void watch(GcCounterReader reader, Interval interval) {
        try {
            Duration pause = interval.busy();
            while (!Thread.interrupted()) {
                Thread.sleep(pause);
                pause = pauseAfter(look(reader), pause, interval);
            }
        } catch (InterruptedException closed) {
            // close() ends this thread in this way
        }
    }

    static Duration pauseAfter(boolean collected, Duration pause) {
        return pauseAfter(collected, pause, CLOSE);
    }

    private static Duration pauseAfter(boolean collected, Duration pause, Interval interval) {
        Duration twice = pause.multipliedBy(2);
        return collected
                ? interval.busy()
                : twice.compareTo(interval.quiet()) < 0 ? twice : interval.quiet();
    }

    /// @return whether the collector has worked since the last reading
    private synchronized boolean look(GcCounterReader reader) {
        return tally.add(reader.read());
    }

    /// Activity of the collector since the last call.
    public synchronized Optional<GcActivity> take(double seconds) {
        if (counters == null) {
            return Optional.empty();
        }
        look(counters);
        return tally.take(seconds);
    }

    /// Occupancy of the heap, now or when the JVM ended. The file of its counters stays open, so it
    /// can be read afterwards.
    public synchronized Optional<HeapFill> heapFill() {
        GcCounters from = atStart;
        if (counters == null || perf == null || from == null) {
            return Optional.empty();
        }
        GcCounters now = counters.read();
        // the old generation's own limit; for an undivided heap its present size
        long max = now.heapInOne() ? 0 : perf.value("sun.gc.generation.1.maxCapacity").orElse(0);
        return Optional.of(
                new HeapFill(
                        now.heapInOne() ? HeapFill.Part.HEAP : HeapFill.Part.OLD_GENERATION,
                        now.oldUsed(),
                        Math.max(max, now.oldCapacity()),
                        now.full() - from.full(),
                        (now.otherPauses() - from.otherPauses()) / 2,
                        false));
    }

    /// Committed size of the heap, now or when the JVM ended, without memory that is only reserved.
    public synchronized Optional<Long> heapBytes() {
        if (perf == null) {
            return Optional.empty();
        }
        // an undivided heap has one generation, or an empty young one
        long bytes =
                perf.value("sun.gc.generation.0.capacity").orElse(0)
                        + perf.value("sun.gc.generation.1.capacity").orElse(0);
        return bytes > 0 ? Optional.of(bytes) : Optional.empty();
    }

    /// Threads started since the last call.
    public synchronized Optional<Long> takeThreadsStarted() {
        if (counters == null) {
            return Optional.empty();
        }
        long now = counters.read().threadsStarted();
        long started = now - startedAtLastTake;
        startedAtLastTake = now;
        return Optional.of(started);
    }

    /// Stops of the JVM since the last call.
    ///
    /// @param seconds length of the window
    public synchronized Optional<Stops> takeStops(double seconds) {
        GcCounters before = stopsAtLastTake;
        if (counters == null || before == null) {
            return Optional.empty();
        }
        GcCounters now = counters.read();
        stopsAtLastTake = now;
        return Optional.of(now.stopsSince(before, seconds));
    }

    @Override
    public Sheet sheet() {
        return new Sheet(
                "hsperfdata",
                "HotSpot with perf data (the default), same user or root",
                "nothing for the target; 10 to 50 looks a second at its shared memory for us");
    }

    @Override
    public Optional<String> missing() {
        return missing;
    }

    @Override
    public void close() {
        if (watcher == null || perf == null) {
            return;
        }
        watcher.interrupt();
        try {
            watcher.join();
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
            return;
        }
        perf.close();
    }
}
