package dev.jdyno.load;

import dev.jdyno.measure.NanoClock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Carries out a {@link LoadPlan}: warm-up, then windows of a second until the time is over, the
/// requests are done, or somebody says stop.
public final class LoadRun {
    /// How often the end is looked for and a ramp is moved on; a stop is heeded within this.
    private static final long TICK_NANOS = 50_000_000L;

    /// The same where the end of the last request is looked for.
    private static final long COUNTED_TICK_NANOS = 5_000_000L;

    private static final long WINDOW_NANOS = 1_000_000_000L;

    /// Hears of each second as it ends.
    public interface Listener {
        /// @param window the second; not kept by the run, since a window holds megabytes
        /// @param sum everything since the warm-up
        void window(LoadWindow window, LoadWindow sum);

        default Listener and(Listener other) {
            return (window, sum) -> {
                window(window, sum);
                other.window(window, sum);
            };
        }
    }

    private final LoadPlan plan;
    private final NanoClock clock;
    private final BooleanSupplier stop;
    private final Listener listener;

    public LoadRun(LoadPlan plan, NanoClock clock, BooleanSupplier stop, Listener listener) {
        this.plan = plan;
        this.clock = clock;
        this.stop = stop;
        this.listener = listener;
    }

    public LoadReport run() {
        try (LoadSession session = LoadSession.start(plan.spec(), clock)) {
            session.take(); // starting up is not part of the first second
            Level level = plan.levelAt(0);
            session.apply(level);
            boolean stopped = warmUp(session);
            long start = clock.nanos();
            long end = start + plan.duration().toNanos();
            long nextWindow = start + WINDOW_NANOS;
            Optional<LoadWindow> sum = Optional.empty();
            boolean over = false;
            while (!over) {
                long now = clock.nanos();
                sleep(Math.min(Math.min(now + tickNanos(), nextWindow), end) - now);
                now = clock.nanos();
                stopped = stopped || stop.getAsBoolean();
                boolean finished = session.isFinished();
                over = stopped || finished || now >= end;
                if (over || now >= nextWindow) {
                    LoadWindow taken = session.take();
                    LoadWindow window = finished ? taken.endingAtItsLastReply() : taken;
                    LoadWindow all = sum.map(x -> x.plus(window)).orElse(window);
                    listener.window(window, all);
                    sum = Optional.of(all);
                    nextWindow += WINDOW_NANOS;
                }
                Level next = plan.levelAt((double) (now - start) / (end - start));
                if (!over && !next.equals(level)) {
                    session.apply(next);
                    level = next;
                }
            }
            return new LoadReport(plan, session.transport(), sum.orElseThrow(), stopped);
        }
    }

    private long tickNanos() {
        return plan.spec().mostRequests().isPresent() ? COUNTED_TICK_NANOS : TICK_NANOS;
    }

    /// @return whether somebody said stop
    private boolean warmUp(LoadSession session) {
        long end = clock.nanos() + plan.warmup().toNanos();
        boolean stopped = false;
        while (!stopped && clock.nanos() < end) {
            sleep(Math.min(TICK_NANOS, end - clock.nanos()));
            stopped = stop.getAsBoolean();
        }
        if (plan.warmup().isPositive()) {
            session.take();
        }
        return stopped;
    }

    private static void sleep(long nanos) {
        if (nanos > 0) {
            LockSupport.parkNanos(nanos);
        }
    }

    /// The default warm-up: a second of the load itself for runs of 5 s and more, since the code of
    /// the client and of a JVM service is compiled in it; none for shorter and counted runs.
    public static Duration defaultWarmup(Duration duration, boolean counted) {
        return counted || duration.compareTo(Duration.ofSeconds(5)) < 0
                ? Duration.ZERO
                : Duration.ofSeconds(1);
    }
}
