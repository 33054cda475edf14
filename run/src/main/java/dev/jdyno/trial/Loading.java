package dev.jdyno.trial;

import dev.jdyno.inside.Inside;
import dev.jdyno.load.LoadGenerator;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Standstill;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.observe.ServerWindow;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// Holds loads on the target. The windows of client and server begin and end at the same instants.
///
/// Only this class changes the load, so it also ends the load. A thread of its own polls whether
/// the trial was stopped. From then on no request is sent, even if the trial still waits for
/// something.
final class Loading implements AutoCloseable {
    private static final long SLICE_NANOS = 1_000_000_000L;

    /// Maximum wait for the requests of the previous load to end, for example while the service is
    /// stopped.
    private static final double MAX_DRAIN_SECONDS = 10;

    private static final double DRAIN_CHECK_SECONDS = 0.02;

    /// Maximum time for the requests in flight to end after the last load.
    private static final double MAX_REST_SECONDS = 5;

    private static final Duration STOP_CHECK_INTERVAL = Duration.ofMillis(50);

    /// Longest standstill of the target after which the run gives up, because nothing can be
    /// measured.
    private static final double MAX_STANDSTILL_SECONDS = 10;

    private final TrialSetup trialSetup;
    private final NanoClock clock;
    private final long startNanos;
    private final BooleanSupplier stop;
    private final Thread stopper;
    private final LoadTimeline timeline;
    private Level level = new Level.Idle();

    private Loading(TrialSetup trialSetup, NanoClock clock, long startNanos, BooleanSupplier stop) {
        this.trialSetup = trialSetup;
        this.clock = clock;
        this.startNanos = startNanos;
        this.stop = stop;
        this.timeline = new LoadTimeline(startNanos);
        this.stopper =
                Thread.ofPlatform().name("jdyno-load-end").daemon().unstarted(this::endWhenStopped);
    }

    /// @param startNanos time of the clock from which the seconds of the run are counted
    /// @param stop polled at least four times a second; true ends the work, and the load at once
    static Loading on(
            TrialSetup trialSetup, NanoClock clock, long startNanos, BooleanSupplier stop) {
        var loading = new Loading(trialSetup, clock, startNanos, stop);
        loading.stopper.start();
        return loading;
    }

    TrialSetup trialSetup() {
        return trialSetup;
    }

    NanoClock clock() {
        return clock;
    }

    private void endWhenStopped() {
        try {
            while (!stopped()) {
                Thread.sleep(STOP_CHECK_INTERVAL);
            }
            end();
        } catch (InterruptedException closed) {
            // close() ends this thread by an interrupt
        }
    }

    boolean stopped() {
        return stop.getAsBoolean();
    }

    /// Changes the load from now on. After the load was stopped, this does nothing.
    synchronized void apply(Level wanted) {
        level = stopped() ? new Level.Idle() : wanted;
        trialSetup.session().apply(level);
    }

    private synchronized Level level() {
        return level;
    }

    /// Sends nothing from now on.
    private synchronized void end() {
        try {
            trialSetup.session().apply(new Level.Idle());
        } catch (IllegalStateException loopDied) {
            // the other event loops must not go on without the one that died
            trialSetup.session().close();
        }
    }

    /// Sends no request from now on, and waits shortly for the requests in flight, because the next
    /// step needs an idle service. A stopped trial does not wait.
    void rest() throws InterruptedException {
        end();
        long start = clock.nanos();
        while (!stopped()
                && trialSetup.targetIsAlive()
                && clock.secondsSince(start) < MAX_REST_SECONDS
                && inFlight() > 0) {
            waitFor(DRAIN_CHECK_SECONDS);
        }
    }

    /// Requests in flight; 0 if unknown, because an event loop has died or an agent is lost.
    private long inFlight() {
        try {
            return trialSetup.session().take().inFlight();
        } catch (IllegalStateException | UserError loadEnded) {
            return 0;
        }
    }

    /// Applies a load and waits until it has settled: the requests of the previous load end, and
    /// queues fill.
    void settle(Level level, double seconds) throws InterruptedException {
        apply(level);
        if (level instanceof Level.Closed(int connections, Duration _)) {
            drainTo(connections);
        }
        trialSetup.session().awaitSending(this::stopped);
        waitFor(seconds);
        take();
    }

    /// Waits until no more requests are in flight than the load needs. Otherwise requests of a
    /// higher load would end in its round, with their long waits.
    private void drainTo(int connections) throws InterruptedException {
        if (trialSetup.session().driver().isPresent()) {
            return; // the connections of the previous run were closed when it ended
        }
        long start = clock.nanos();
        while (!stopped()
                && trialSetup.session().take().inFlight() > connections
                && clock.secondsSince(start) < MAX_DRAIN_SECONDS) {
            waitFor(DRAIN_CHECK_SECONDS);
        }
    }

    void waitFor(double seconds) throws InterruptedException {
        long until = clock.nanos() + Math.round(seconds * 1e9);
        while (!stopped() && clock.nanos() < until) {
            TimeUnit.NANOSECONDS.sleep(Math.min(SLICE_NANOS / 4, until - clock.nanos()));
        }
    }

    /// Sends no request until the requests in flight have ended, or for `atMostSeconds`.
    void drain(double atMostSeconds) throws InterruptedException {
        apply(new Level.Idle());
        long start = clock.nanos();
        do {
            waitFor(0.5);
        } while (!stopped()
                && trialSetup.session().take().inFlight() > 0
                && clock.secondsSince(start) < atMostSeconds);
        take();
    }

    /// Begins the next window of the client and of the target.
    void take() throws InterruptedException {
        trialSetup.session().begin();
        if (trialSetup.inside().isPresent()) {
            var _ = trialSetup.inside().get().take();
        }
    }

    /// Throughput since the last window; `otherwise` if the load comes from a driver, which only
    /// reports whole runs.
    double takeQps(double otherwise) {
        LoadWindow seen = trialSetup.session().take();
        return seen.counted() ? seen.qps() : otherwise;
    }

    /// The slices that were measured so far.
    LoadTimeline timeline() {
        return timeline;
    }

    /// Measures one second of a load. Empty if the load was stopped in that second, because a part
    /// of the second had no load then.
    ///
    /// @throws UserError when the target has ended or is stopped
    Optional<LoadWindow> slice(Windows windows) throws InterruptedException {
        LoadGenerator load = trialSetup.session();
        boolean waited = load.awaitWindow(this::stopped);
        if (waited && trialSetup.inside().isPresent()) {
            var _ = trialSetup.inside().get().take();
        }
        long length = load.window().toNanos();
        trialSetup.inside().ifPresent(i -> i.announce(clock.nanos() + length));
        waitFor(length / 1e9);
        load.cut();
        Optional<LoadWindow> ours = waited ? Optional.empty() : Optional.of(load.take());
        Optional<ServerWindow> did =
                trialSetup.inside().isPresent()
                        ? trialSetup.inside().get().take()
                        : Optional.empty();
        // a driver reports its figures when its run ends
        LoadWindow seen = ours.orElseGet(load::take);
        if (!trialSetup.targetIsAlive()) {
            trialSetup.inside().ifPresent(Inside::requireAlive);
        }
        if (stopped()) {
            return Optional.empty();
        }
        requireRunning(MAX_STANDSTILL_SECONDS);
        if (!seen.counted()) {
            return Optional.empty();
        }
        windows.add(seen, did);
        timeline.add(windows.part(), level(), seen);
        return Optional.of(seen);
    }

    /// @throws UserError if the target has been stopped for longer than `atMostSeconds`
    void requireRunning(double atMostSeconds) {
        Optional<Standstill> now = trialSetup.inside().flatMap(i -> i.standstill(startNanos));
        if (now.filter(s -> clock.secondsSince(startNanos) - s.fromS() > atMostSeconds)
                .isPresent()) {
            throw standing(now.get());
        }
    }

    private UserError standing(Standstill still) {
        return new UserError(
                UserError.Kind.INVALID,
                "the target does not run",
                String.format(
                        Locale.ROOT,
                        "process %s has been stopped since second %.0f of the run, by %s",
                        trialSetup.inside().map(i -> Long.toString(i.pid())).orElse("?"),
                        still.fromS(),
                        still.by().says()),
                still.by().fix() + ", and run again");
    }

    @Override
    public void close() {
        stopper.interrupt();
        end();
    }
}
