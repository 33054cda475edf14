package dev.jdyno.load;

import dev.jdyno.load.LoadReport.End;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.NanoClock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Carries out a {@link LoadPlan}: a warm-up, then windows of one second. The run ends when its
/// time is over, all requests have ended, or the user stops it.
public final class LoadRun {
    /// Interval at which the run checks for its end and for a stop, and advances a ramp.
    private static final long TICK_NANOS = 50_000_000L;

    /// The same interval for runs of a given number of requests, where the end of the last request
    /// matters.
    private static final long COUNTED_TICK_NANOS = 5_000_000L;

    private static final long SETTLING_TICK_NANOS = 1_000_000L;

    private static final long WINDOW_NANOS = 1_000_000_000L;

    /// Called at the end of each second.
    public interface Listener {
        /// @param window the measurements of this second; the run does not keep them, because a
        ///   window holds megabytes
        /// @param sum the measurements since the warm-up
        void window(LoadWindow window, LoadWindow sum);

        default Listener and(Listener other) {
            return (window, sum) -> {
                window(window, sum);
                other.window(window, sum);
            };
        }
    }

    /// Delays the measurement until all parts of a load are warm.
    public interface Gate {
        /// Called when the load runs and its connections are open. Returns when the measurement may
        /// begin.
        void warm();
    }

    /// Connections per second that even a slow server accepts. The warm-up waits for connections as
    /// long as this rate requires. Connections still missing then are made during the measurement.
    private static final long MIN_CONNECTS_PER_S = 1000;

    private final LoadPlan plan;
    private final Gate gate;
    private final NanoClock clock;
    private final BooleanSupplier stop;
    private final Listener listener;

    public LoadRun(LoadPlan plan, NanoClock clock, BooleanSupplier stop, Listener listener) {
        this(plan, clock, stop, listener, () -> {});
    }

    public LoadRun(
            LoadPlan plan, NanoClock clock, BooleanSupplier stop, Listener listener, Gate gate) {
        this.gate = gate;
        this.plan = plan;
        this.clock = clock;
        this.stop = stop;
        this.listener = listener;
    }

    public LoadReport run() {
        try (LoadSession session = LoadSession.start(plan.spec(), clock)) {
            session.take(); // the time to start is no part of the first second
            Level level = plan.levelAt(0);
            session.apply(level);
            boolean stopped = warmUp(session);
            long start = clock.nanos();
            long end = start + plan.duration().toNanos();
            long nextWindow = start + WINDOW_NANOS;
            Optional<LoadWindow> sum = Optional.empty();
            var gone = new ServerGone(start);
            boolean givenUp = false;
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
                    givenUp = !over && isCounted() && gone.isSeen(window);
                    over = over || givenUp;
                    nextWindow += WINDOW_NANOS;
                }
                Level next = plan.levelAt((double) (now - start) / (end - start));
                if (!over && !next.equals(level)) {
                    session.apply(next);
                    level = next;
                }
            }
            End ended = stopped ? End.STOPPED : givenUp ? End.GIVEN_UP : End.WHOLE;
            return new LoadReport(plan, session.transport(), sum.orElseThrow(), ended, 1);
        }
    }

    private boolean isCounted() {
        return plan.spec().mostRequests().isPresent();
    }

    private long tickNanos() {
        return isCounted() ? COUNTED_TICK_NANOS : TICK_NANOS;
    }

    /// Returns when the warm-up is over and every connection has been tried. Making 30,000
    /// connections takes longer than a second and must not be measured. A run of a given number of
    /// requests has no warm-up and does not wait for connections.
    ///
    /// @return true if the user stopped the run
    private boolean warmUp(LoadSession session) {
        long start = clock.nanos();
        long end = start + plan.warmup().toNanos();
        boolean counted = isCounted();
        long settlingEnd =
                start
                        + plan.spec().connectTimeout().toNanos()
                        + plan.connections() * 1_000_000_000L / MIN_CONNECTS_PER_S;
        boolean stopped = false;
        boolean settled = counted;
        while (!stopped && (clock.nanos() < end || !settled)) {
            sleep(Math.min(TICK_NANOS, Math.max(SETTLING_TICK_NANOS, end - clock.nanos())));
            stopped = stop.getAsBoolean();
            settled = settled || session.isSettled() || clock.nanos() > settlingEnd;
        }
        gate.warm();
        if (plan.warmup().isPositive() || !counted) {
            session.take();
        }
        return stopped;
    }

    private static void sleep(long nanos) {
        if (nanos > 0) {
            LockSupport.parkNanos(nanos);
        }
    }

    /// The default warm-up: one second of the load itself for runs of 5 s and more. It lets the
    /// client and a JVM service compile their code. Shorter runs and runs of a given number of
    /// requests have none.
    public static Duration defaultWarmup(Duration duration, boolean counted) {
        return counted || duration.compareTo(Duration.ofSeconds(5)) < 0
                ? Duration.ZERO
                : Duration.ofSeconds(1);
    }
}
