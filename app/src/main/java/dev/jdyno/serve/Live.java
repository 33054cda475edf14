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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/// A run that goes on, as server-sent events: `phase`, `progress` (each second), `round`, `knee`,
/// `note`, `end`. Who comes later gets the rounds so far first, and what goes on.
///
/// The run hands over what it says and goes on at once; one thread keeps it and passes it on, and
/// each browser has a thread of its own.
public final class Live implements TrialListener {
    /// Browsers at once.
    private static final int MOST_WATCHERS = 32;

    private static final Duration LONGEST_END = Duration.ofSeconds(2);

    private final String name;
    private final TrialListener also;
    private final ExecutorService feeder =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().name("jdyno-live").daemon().factory());

    // of the feeder's thread alone
    private final List<Watcher> watchers = new ArrayList<>();
    private final List<Event> kept = new ArrayList<>();
    private Optional<Event> phase = Optional.empty();
    private Optional<Event> progress = Optional.empty();
    private volatile boolean ended;

    /// What a browser is told.
    ///
    /// @param json on one line
    record Event(String kind, String json) {
        private static Event of(String kind, Record facts) {
            return new Event(kind, JsonDocument.line(facts));
        }
    }

    private record Says(String says) {}

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
    /// @param also hears the same: the terminal
    public Live(String name, TrialListener also) {
        this.name = name;
        this.also = also;
    }

    String name() {
        return name;
    }

    /// Whether the run still measures.
    boolean goesOn() {
        return !ended;
    }

    /// A browser, which gets what was before it came.
    void add(SseClient client) {
        client.keepAlive();
        var watcher =
                new Watcher(
                        e -> {
                            client.sendEvent(e.kind(), e.json());
                            return !client.terminated();
                        },
                        client::close,
                        () -> Clients.cut(client.ctx()));
        client.onClose(watcher::leave);
        feeder.execute(() -> join(watcher));
    }

    private void join(Watcher watcher) {
        if (watchers.size() >= MOST_WATCHERS) {
            watcher.offer(Event.of("note", new Says("too many browsers watch: close some")));
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

    /// Only hands it over: what measures neither makes JSON nor waits for a browser.
    private void later(Runnable what) {
        if (!ended) {
            feeder.execute(what);
        }
    }

    private void send(String kind, Record facts, boolean keep) {
        later(() -> {
            var event = Event.of(kind, facts);
            if (keep) {
                kept.add(event);
            }
            send(event);
        });
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
            var event = Event.of("phase", new Says(says));
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
        send("round", Measured.of(r), true);
    }

    @Override
    public void block(Block block, Round r) {
        also.block(block, r);
    }

    @Override
    public void knee(double concurrency, Interval ci95, double qps) {
        also.knee(concurrency, ci95, qps);
        send("knee", new FoundKnee(concurrency, ci95.lo(), ci95.hi(), qps), true);
    }

    @Override
    public void note(String says) {
        also.note(says);
        send("note", new Says(says), true);
    }

    /// The run is over. Returns when the browsers have got it, or after two seconds.
    ///
    /// @param says its result in a sentence
    public void end(String says) {
        send("end", new Says(says), true);
        List<Watcher> last = new ArrayList<>();
        feeder.execute(() -> {
            last.addAll(watchers);
            last.forEach(Watcher::end);
            watchers.clear();
        });
        ended = true;
        feeder.shutdown();
        long until = NanoClock.SYSTEM.nanos() + LONGEST_END.toNanos();
        try {
            if (feeder.awaitTermination(LONGEST_END.toNanos(), TimeUnit.NANOSECONDS)) {
                for (Watcher w : last) {
                    w.awaitEnd(until - NanoClock.SYSTEM.nanos());
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
