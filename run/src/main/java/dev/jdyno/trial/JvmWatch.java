package dev.jdyno.trial;

import dev.jdyno.capacity.goal.OpenTrial;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.target.PerfData;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Records the stops of the whole JVM, and whether it still warms up. A thread of jdyno reads the
/// JVM's shared memory: every stop for any reason with its time and length, the compiler's time,
/// and the number of loaded classes. This costs the target nothing.
final class JvmWatch implements AutoCloseable {
    /// Interval between two checks. Two stops in one interval count as one. The interval is shorter
    /// than any useful response-time goal.
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(5);

    /// Maximum number of stops kept, more than any search needs. Later stops are only counted.
    private static final int MAX_KEPT = 200_000;

    /// @param endNanos end of the stop on our clock, late by at most {@link
    ///   JvmWatch#CHECK_INTERVAL}
    record Stop(long endNanos, double ms) {}

    /// Totals since the JVM's start.
    record WarmUp(double compilerSeconds, long classes) {}

    private final @Nullable PerfData perf;
    private final Optional<String> missing;
    private final NanoClock clock;
    private final List<Stop> stops = new ArrayList<>();
    private final @Nullable Thread watcher;
    private final double secondsPerTick;
    private long stoppedTicks;
    private long notKept;

    private JvmWatch(@Nullable PerfData perf, Optional<String> missing, NanoClock clock) {
        this.clock = clock;
        boolean counts = perf != null && perf.value("sun.rt.safepointTime").isPresent();
        this.perf = perf;
        this.missing =
                perf == null || counts
                        ? missing
                        : Optional.of("it does not count its safepoints (sun.rt.safepointTime)");
        if (perf == null) {
            secondsPerTick = 0;
            watcher = null;
            return;
        }
        secondsPerTick = 1.0 / perf.value("sun.os.hrt.frequency").orElse(1_000_000_000L);
        stoppedTicks = perf.value("sun.rt.safepointTime").orElse(0);
        watcher =
                counts
                        ? Thread.ofPlatform()
                                .name("jdyno-stops")
                                .daemon()
                                .start(() -> watch(perf.counter("sun.rt.safepointTime")))
                        : null;
    }

    /// @param pid empty without a target
    static JvmWatch open(Optional<Long> pid, NanoClock clock) {
        if (pid.isEmpty()) {
            return new JvmWatch(null, Optional.of("the run has no target on this machine"), clock);
        }
        try {
            return new JvmWatch(PerfData.of(pid.get()), Optional.empty(), clock);
        } catch (UserError none) {
            return new JvmWatch(null, Optional.of(none.why()), clock);
        }
    }

    private void watch(PerfData.Counter stopped) {
        try {
            while (!Thread.interrupted()) {
                Thread.sleep(CHECK_INTERVAL);
                look(stopped);
            }
        } catch (InterruptedException closed) {
            // close() ends this thread by an interrupt
        }
    }

    private synchronized void look(PerfData.Counter stopped) {
        long now = stopped.or(stoppedTicks);
        if (now > stoppedTicks) {
            if (stops.size() < MAX_KEPT) {
                double ms = (now - stoppedTicks) * secondsPerTick * 1000;
                stops.add(new Stop(clock.nanos(), ms));
            } else {
                notKept++;
            }
            stoppedTicks = now;
        }
    }

    /// The reason why stops are not measured; empty if they are.
    Optional<String> missing() {
        return missing;
    }

    /// Number of stops that were not kept, because there were too many.
    synchronized long notKept() {
        return notKept;
    }

    /// The stops that ended after `sinceNanos`. Their times are in seconds since then.
    synchronized List<OpenTrial.Pause> since(long sinceNanos) {
        return stops.stream()
                .filter(s -> s.endNanos() >= sinceNanos)
                .map(s ->
                        new OpenTrial.Pause(
                                Math.max(0, (s.endNanos() - sinceNanos) / 1e9 - s.ms() / 1000),
                                s.ms()))
                .toList();
    }

    Optional<WarmUp> warmUp() {
        return perf == null
                ? Optional.empty()
                : Optional.of(
                        new WarmUp(
                                perf.value("java.ci.totalTime").orElse(0) * secondsPerTick,
                                perf.value("java.cls.loadedClasses").orElse(0)
                                        + perf.value("java.cls.sharedLoadedClasses").orElse(0)));
    }

    @Override
    public void close() {
        if (watcher != null) {
            watcher.interrupt();
            try {
                watcher.join();
            } catch (InterruptedException hurry) {
                Thread.currentThread().interrupt();
                return; // the thread is a daemon and may still read: leave the memory mapped
            }
        }
        if (perf != null) {
            perf.close();
        }
    }
}
