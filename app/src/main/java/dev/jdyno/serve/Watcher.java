package dev.jdyno.serve;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// One browser that watches a run, on a thread of its own: a slow reader delays neither the run nor
/// other browsers. A browser that is too far behind is disconnected; it may connect again.
final class Watcher {
    /// Events: more than an hour of them.
    static final int MOST_BEHIND = 5_000;

    private final BlockingQueue<Optional<Live.Event>> ahead =
            new LinkedBlockingQueue<>(MOST_BEHIND);
    private final Predicate<Live.Event> sends;
    private final Runnable closes;
    private final Runnable cuts;
    private final Consumer<Watcher> ended;
    private final Thread thread;
    private volatile boolean gone;

    /// @param sends an event; false when the client has gone
    /// @param closes ends the answer; called once, on this watcher's thread
    /// @param cuts the connection, also in the middle of a write: an interrupted thread would make
    ///   the server try again and again to end the answer
    /// @param ended called last, on this watcher's thread
    Watcher(Predicate<Live.Event> sends, Runnable closes, Runnable cuts, Consumer<Watcher> ended) {
        this.sends = sends;
        this.closes = closes;
        this.cuts = cuts;
        this.ended = ended;
        thread = Thread.ofVirtual().name("jdyno-live-client").start(this::work);
    }

    /// Never waits.
    ///
    /// @return false when it is too far behind, and was let go
    boolean offer(Live.Event event) {
        boolean taken = ahead.offer(Optional.of(event));
        if (!taken) {
            letGo();
        }
        return taken && !gone;
    }

    /// What is ahead is sent, then the connection is closed.
    void end() {
        if (!ahead.offer(Optional.empty())) {
            letGo();
        }
    }

    /// Waits for the last event, but not for a client that does not read.
    void awaitEnd(long mostNanos) throws InterruptedException {
        thread.join(Duration.ofNanos(Math.max(1, mostNanos)));
    }

    /// Ends the connection, whatever is being written.
    void letGo() {
        leave();
        cuts.run();
    }

    /// The client has gone.
    void leave() {
        gone = true;
        ahead.clear();
        ahead.add(Optional.empty());
    }

    private void work() {
        try {
            for (Optional<Live.Event> next = ahead.take();
                    next.isPresent() && !gone && sends.test(next.get());
                    next = ahead.take()) {
                // sent
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
}
