package dev.jdyno.trial;

import dev.jdyno.load.Level;
import dev.jdyno.load.LoadWindow;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.observe.Observer;
import dev.jdyno.observe.ServerWindow;
import dev.jdyno.target.Target;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// Holds loads on the ground and cuts client side and server side at the same instants.
///
/// @param stop asked at least four times a second; true ends what goes on
record Loading(Ground ground, NanoClock clock, BooleanSupplier stop) {
    private static final long SLICE_NANOS = 1_000_000_000L;

    /// How long a stop of the service is waited for that keeps requests of the load before.
    private static final double DRAIN_MOST_SECONDS = 10;

    private static final double DRAIN_LOOK_SECONDS = 0.02;

    boolean stopped() {
        return stop.getAsBoolean();
    }

    /// Applies a load and lets it settle: the requests of the load before drain, queues fill.
    void settle(Level level, double seconds) throws InterruptedException {
        ground.session().apply(level);
        if (level instanceof Level.Closed(int connections, Duration _)) {
            drainTo(connections);
        }
        waitFor(seconds);
        take();
    }

    /// Waits until no more requests are out than the load holds: those of a higher load before it
    /// would count in its round with all of the time that they have waited.
    private void drainTo(int connections) throws InterruptedException {
        long start = clock.nanos();
        while (!stopped()
                && ground.session().take().inFlight() > connections
                && clock.secondsSince(start) < DRAIN_MOST_SECONDS) {
            waitFor(DRAIN_LOOK_SECONDS);
        }
    }

    void waitFor(double seconds) throws InterruptedException {
        long until = clock.nanos() + Math.round(seconds * 1e9);
        while (!stopped() && clock.nanos() < until) {
            TimeUnit.NANOSECONDS.sleep(Math.min(SLICE_NANOS / 4, until - clock.nanos()));
        }
    }

    /// Sends nothing until what is under way has ended, or for `atMostSeconds`.
    void drain(double atMostSeconds) throws InterruptedException {
        ground.session().apply(new Level.Idle());
        long start = clock.nanos();
        do {
            waitFor(0.5);
        } while (!stopped()
                && ground.session().take().inFlight() > 0
                && clock.secondsSince(start) < atMostSeconds);
        take();
    }

    /// Begins the next window on both sides.
    void take() {
        ground.session().take();
        ground.observer().ifPresent(Observer::take);
    }

    /// One second of a load.
    ///
    /// @throws dev.jdyno.measure.UserError when the target has ended
    LoadWindow slice(Windows windows) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(SLICE_NANOS);
        LoadWindow seen = ground.session().take();
        Optional<ServerWindow> did = ground.observer().map(Observer::take);
        if (!ground.targetIsAlive()) {
            ground.target().ifPresent(Target::requireAlive);
        }
        windows.add(seen, did);
        return seen;
    }
}
