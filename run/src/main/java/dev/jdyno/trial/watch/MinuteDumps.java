package dev.jdyno.trial.watch;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.SampledThreads;
import dev.jdyno.observe.probe.Wait;
import dev.jdyno.observe.window.ThreadSampler;
import dev.jdyno.target.Target;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/// The thread dumps of each minute, taken by a thread of their own: counters are read on time while
/// a dump waits for a slow or stopped JVM.
final class MinuteDumps implements AutoCloseable {
    /// Part of the minute over which dumps are spread. The rest is time to finish.
    private static final double SPREAD = 0.9;

    /// Maximum time at the end of a minute for a window of dumps to finish.
    private static final long END_MS = 2_000;

    private final Taker taker;
    private final BooleanSupplier alive;
    private final NanoClock clock;
    private Optional<Window> open = Optional.empty();

    /// True if the open window was begun in an earlier minute.
    private boolean late;

    private int minute;

    /// Takes the dumps of a window.
    interface Taker {
        /// @param stop true ends the window early
        SampledThreads take(Wanted wanted, BooleanSupplier stop) throws InterruptedException;
    }

    /// A window of dumps that was begun.
    private static final class Window {
        private final FutureTask<SampledThreads> task;
        private volatile boolean enough;

        Window(Taker taker, NanoClock clock, long startNanos, Wanted wanted) {
            BooleanSupplier stop = () -> enough;
            task =
                    new FutureTask<>(() -> {
                        Wait.until(clock, startNanos, stop);
                        return taker.take(wanted, stop);
                    });
            Thread.ofPlatform().daemon().name("jdyno-dumps").start(task);
        }
    }

    record Wanted(double seconds, int dumps, double perS) {}

    MinuteDumps(Target target, NanoClock clock) {
        this(
                (wanted, stop) -> {
                    try (ThreadSampler sampler = ThreadSampler.of(target, clock).until(stop)) {
                        return sampler.take(
                                wanted.perS(),
                                Durations.ofSeconds(wanted.seconds()),
                                wanted.dumps());
                    }
                },
                target::isAlive,
                clock);
    }

    /// @param alive true if the JVM still runs
    MinuteDumps(Taker taker, BooleanSupplier alive, NanoClock clock) {
        this.taker = taker;
        this.alive = alive;
        this.clock = clock;
    }

    /// Begins the dumps of a minute. While an earlier window is not finished, because the JVM does
    /// not answer, none is begun, and the minute has no dumps.
    ///
    /// @param seconds length of the minute
    /// @param perS throughput of the minute before
    void begin(double seconds, int dumps, double perS) {
        late = open.filter(w -> !w.task.isDone()).isPresent();
        if (late) {
            return;
        }
        open = Optional.empty();
        if (dumps < 1) {
            return;
        }
        // Jobs of a clock begin with the minute: the first dump must not always meet them.
        double spread = SPREAD * seconds;
        double offset = (ThreadSampler.uneven(++minute) - 0.5) * spread / dumps;
        open =
                Optional.of(
                        new Window(
                                taker,
                                clock,
                                clock.nanos() + Math.round(offset * 1e9),
                                new Wanted(Math.max(1, spread - offset), dumps, perS)));
    }

    /// The dumps of the minute; empty if the JVM gave none in time.
    Optional<SampledThreads> end() throws InterruptedException {
        if (open.isEmpty()) {
            return Optional.empty();
        }
        Window window = open.get();
        window.enough = true;
        try {
            SampledThreads threads = window.task.get(late ? 0 : END_MS, TimeUnit.MILLISECONDS);
            open = Optional.empty();
            // samples of an earlier minute do not show where requests were in this one; a JVM that
            // ended before its first dump has no samples, which does not mean no busy threads
            return Optional.of(threads)
                    .filter(t -> !late && (t.dumps() > 0 || alive.getAsBoolean()));
        } catch (TimeoutException silent) {
            return Optional.empty();
        } catch (ExecutionException failed) {
            open = Optional.empty();
            if (failed.getCause() instanceof UserError || !alive.getAsBoolean()) {
                return Optional.empty();
            }
            throw new IllegalStateException("thread dumps failed", failed.getCause());
        }
    }

    @Override
    public void close() {
        open.ifPresent(w -> {
            w.enough = true;
            w.task.cancel(true);
        });
    }
}
