package dev.jdyno.serve;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.report.json.JsonDocument;
import dev.jdyno.trial.TrialListener;
import io.javalin.http.sse.SseClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Streams a current run as server-sent events: `phase`, `progress` (each second), `round`, `knee`,
/// `note`, `end`. A browser that connects later first gets the rounds so far and the current state.
///
/// The run hands over each event and continues at once. One thread stores and forwards the events,
/// and each browser has a thread of its own.
public final class Live implements TrialListener {
    /// Maximum number of browsers at a time.
    private static final int MAX_WATCHERS = 32;

    private static final Duration LONGEST_END = Duration.ofSeconds(2);
    private static final Duration IDLE = Duration.ofSeconds(10);

    private final String name;
    private final TrialListener also;
    private final Executor feeder = feeder();

    /// All watchers with an open connection, including those that still receive events after the
    /// run's end.
    private final Set<Watcher> open = ConcurrentHashMap.newKeySet();

    // Only the feeder's thread writes to these fields.
    private final List<Watcher> watchers = new ArrayList<>();
    private final List<Event> kept = new ArrayList<>();
    private Optional<Event> phase = Optional.empty();
    private Optional<Event> progress = Optional.empty();
    private volatile boolean ended;
    private boolean closed;

    /// One thread that ends when it is idle. It is never shut down, because browsers may connect
    /// until the server is closed.
    private static Executor feeder() {
        var one =
                new ThreadPoolExecutor(
                        1,
                        1,
                        IDLE.toSeconds(),
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        Thread.ofPlatform().name("jdyno-live").daemon().factory());
        one.allowCoreThreadTimeOut(true);
        return one;
    }

    /// An event for browsers.
    ///
    /// @param json the event's document on one line
    record Event(String kind, String json) {
        private static Event of(String kind, Record facts) {
            return new Event(kind, JsonDocument.line(facts));
        }
    }

    private record Message(String says) {}

    private record Progress(double seconds, Optional<Double> of, Optional<Double> qps) {}

    private record Measured(
            int concurrency,
            Optional<Double> ratePerS,
            double qps,
            double p50,
            double p99,
            double errorShare,
            Optional<Double> cpuCores,
            Optional<Double> gcShare) {
        private static Measured of(Round r) {
            return new Measured(
                    r.concurrency(),
                    r.ratePerS(),
                    r.qps(),
                    r.rtMs().p50(),
                    r.rtMs().p99(),
                    r.errorShare(),
                    r.cpu().map(CpuUse::processCores),
                    r.gc().map(GcActivity::pauseShare));
        }
    }

    private record FoundKnee(double concurrency, double lo, double hi, double qps) {}

    /// @param name of the run
    /// @param also another listener of the same run: the terminal
    public Live(String name, TrialListener also) {
        this.name = name;
        this.also = also;
    }

    String name() {
        return name;
    }

    /// True while the run measures.
    boolean goesOn() {
        return !ended;
    }

    /// Adds a browser, which first gets the earlier events.
    synchronized void add(SseClient client) {
        if (closed) {
            return;
        }
        client.keepAlive();
        var watcher =
                new Watcher(
                        e -> {
                            client.sendEvent(e.kind(), e.json());
                            return !client.terminated();
                        },
                        () -> {
                            client.sendComment("the run goes on");
                            return !client.terminated();
                        },
                        client::close,
                        () -> Clients.cut(client.ctx()),
                        open::remove);
        open.add(watcher);
        client.onClose(watcher::leave);
        feeder.execute(() -> join(watcher));
    }

    private void join(Watcher watcher) {
        if (watchers.size() >= MAX_WATCHERS) {
            watcher.offer(Event.of("note", new Message("too many browsers watch: close some")));
            watcher.end();
            return;
        }
        kept.forEach(watcher::offer);
        phase.ifPresent(watcher::offer);
        progress.ifPresent(watcher::offer);
        if (ended) {
            watcher.end();
        } else {
            watchers.add(watcher);
        }
    }

    /// Disconnects all browsers. Must be called before the server is closed. If the server closed a
    /// connection first, Javalin would retry to end the answer forever and use a whole core.
    /// Returns after at most four seconds.
    void close() throws InterruptedException {
        synchronized (this) {
            closed = true;
        }
        open.forEach(Watcher::end);
        awaitAll();
        // Closes the connections of browsers that do not read.
        open.forEach(Watcher::letGo);
        awaitAll();
    }

    /// Number of browsers with an open connection.
    int watched() {
        return open.size();
    }

    private void awaitAll() throws InterruptedException {
        long until = NanoClock.SYSTEM.nanos() + LONGEST_END.toNanos();
        for (Watcher w : open) {
            w.awaitEnd(until - NanoClock.SYSTEM.nanos());
        }
    }

    /// Hands a task to the feeder's thread, so that the measuring thread neither writes JSON nor
    /// waits for a browser.
    private void later(Runnable what) {
        feeder.execute(() -> {
            if (!ended) {
                what.run();
            }
        });
    }

    private void keep(String kind, Record facts) {
        later(() -> keep(Event.of(kind, facts)));
    }

    private void keep(Event event) {
        kept.add(event);
        send(event);
    }

    private void send(Event event) {
        watchers.removeIf(w -> !w.offer(event));
    }

    @Override
    public void phase(String says) {
        also.phase(says);
        began(says);
    }

    @Override
    public void measuring(String says) {
        also.measuring(says);
        began(says);
    }

    private void began(String says) {
        later(() -> {
            var event = Event.of("phase", new Message(says));
            phase = Optional.of(event);
            progress = Optional.empty();
            send(event);
        });
    }

    @Override
    public void progress(double seconds, Optional<Double> of, Optional<Double> qps) {
        also.progress(seconds, of, qps);
        later(() -> {
            var event = Event.of("progress", new Progress(seconds, of, qps));
            progress = Optional.of(event);
            send(event);
        });
    }

    @Override
    public void round(Round r) {
        also.round(r);
        keep("round", Measured.of(r));
    }

    @Override
    public void block(Block block, Round r) {
        also.block(block, r);
    }

    @Override
    public void knee(double concurrency, Interval ci95, double qps) {
        also.knee(concurrency, ci95, qps);
        keep("knee", new FoundKnee(concurrency, ci95.lo(), ci95.hi(), qps));
    }

    @Override
    public void note(String says) {
        also.note(says);
        keep("note", new Message(says));
    }

    /// Ends the stream. Returns when the browsers have received the last event, or after two
    /// seconds.
    ///
    /// @param says the result in a sentence
    public void end(String says) {
        long until = NanoClock.SYSTEM.nanos() + LONGEST_END.toNanos();
        try {
            for (Watcher w :
                    CompletableFuture.supplyAsync(() -> last(says), feeder)
                            .get(LONGEST_END.toNanos(), TimeUnit.NANOSECONDS)) {
                w.awaitEnd(until - NanoClock.SYSTEM.nanos());
            }
        } catch (TimeoutException late) {
            // The browsers receive the last event later, after the earlier ones.
        } catch (ExecutionException e) {
            throw new IllegalStateException("cannot say that the run has ended", e.getCause());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /// @return the browsers that receive the last event
    private List<Watcher> last(String says) {
        if (ended) {
            return List.of();
        }
        keep(Event.of("end", new Message(says)));
        List<Watcher> all = List.copyOf(watchers);
        all.forEach(Watcher::end);
        watchers.clear();
        ended = true;
        return all;
    }
}
