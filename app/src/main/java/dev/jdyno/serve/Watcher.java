package dev.jdyno.serve;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// A browser that watches a run, served by its own thread. So a slow reader delays neither the run
/// nor other browsers. A browser that is too far behind is disconnected, and may connect again.
final class Watcher {
    /// Maximum number of events that a browser may be behind: more than an hour of them.
    static final int MAX_BEHIND = 5_000;

    /// Time without an event after which a comment is sent. Proxies close a silent connection:
    /// nginx after 60 s.
    static final Duration QUIET = Duration.ofSeconds(15);

    private final BlockingQueue<Optional<Live.Event>> ahead = new LinkedBlockingQueue<>(MAX_BEHIND);
    private final Predicate<Live.Event> sends;
    private final BooleanSupplier keepsAlive;
    private final Runnable closes;
    private final Runnable cuts;
    private final Consumer<Watcher> ended;
    private final Thread thread;
    private volatile boolean gone;

    /// @param sends sends an event; false if the client is gone
    /// @param keepsAlive sends a comment; false if the client is gone
    /// @param closes ends the answer; called once, on this watcher's thread
    /// @param cuts closes the connection at once, even during a write. An interrupt of the thread
    ///   would not suffice: the server would repeatedly try to end the answer
    /// @param ended called last, on this watcher's thread
    Watcher(
            Predicate<Live.Event> sends,
            BooleanSupplier keepsAlive,
            Runnable closes,
            Runnable cuts,
            Consumer<Watcher> ended) {
        this.sends = sends;
        this.keepsAlive = keepsAlive;
        this.closes = closes;
        this.cuts = cuts;
        this.ended = ended;
        thread = Thread.ofVirtual().name("jdyno-live-client").start(this::work);
    }

    /// Adds an event without waiting.
    ///
    /// @return false if the browser is too far behind and was disconnected, or is gone
    boolean offer(Live.Event event) {
        boolean taken = ahead.offer(Optional.of(event));
        if (!taken) {
            letGo();
        }
        return taken && !gone;
    }

    /// Sends the remaining events, then closes the connection.
    void end() {
        if (!ahead.offer(Optional.empty())) {
            letGo();
        }
    }

    /// Waits for the last event, but only for a limited time, because a client may not read.
    void awaitEnd(long maxNanos) throws InterruptedException {
        thread.join(Duration.ofNanos(Math.max(1, maxNanos)));
    }

    /// Closes the connection at once, even during a write.
    void letGo() {
        leave();
        cuts.run();
    }

    /// Stops the watcher of a client that is gone.
    void leave() {
        gone = true;
        ahead.clear();
        ahead.add(Optional.empty());
    }

    private void work() {
        try {
            while (sendsNext()) {
                // the condition has sent the event
            }
        } catch (InterruptedException neverInterrupted) {
            throw new IllegalStateException(neverInterrupted);
        } finally {
            try {
                closes.run();
            } finally {
                ended.accept(this);
            }
        }
    }

    /// @return false after the last event, or if the client is gone
    private boolean sendsNext() throws InterruptedException {
        Optional<Optional<Live.Event>> next =
                Optional.ofNullable(ahead.poll(QUIET.toSeconds(), TimeUnit.SECONDS));
        if (next.isEmpty()) {
            return !gone && keepsAlive.getAsBoolean();
        }
        return next.get().isPresent() && !gone && sends.test(next.get().get());
    }
}
