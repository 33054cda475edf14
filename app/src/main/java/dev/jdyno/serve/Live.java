package dev.jdyno.serve;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.report.json.JsonDocument;
import dev.jdyno.trial.TrialListener;
import io.javalin.http.sse.SseClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/// A run that goes on, as server-sent events: `phase`, `progress` (each second), `round`, `knee`,
/// `note`, `end`. Who comes later gets the rounds so far first, and what goes on.
public final class Live implements TrialListener {
    private final String name;
    private final TrialListener also;
    private final List<SseClient> clients = new CopyOnWriteArrayList<>();
    private final List<Event> kept = new ArrayList<>();
    private Optional<Event> phase = Optional.empty();
    private Optional<Event> progress = Optional.empty();

    private record Event(String kind, String json) {
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

    void add(SseClient client) {
        client.keepAlive();
        client.onClose(() -> clients.remove(client));
        synchronized (kept) {
            kept.forEach(e -> client.sendEvent(e.kind(), e.json()));
            phase.ifPresent(e -> client.sendEvent(e.kind(), e.json()));
            progress.ifPresent(e -> client.sendEvent(e.kind(), e.json()));
            clients.add(client);
        }
    }

    private void send(Event event, boolean keep) {
        synchronized (kept) {
            if (keep) {
                kept.add(event);
            }
            clients.forEach(c -> c.sendEvent(event.kind(), event.json()));
        }
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
        var event = Event.of("phase", new Says(says));
        synchronized (kept) {
            phase = Optional.of(event);
            progress = Optional.empty();
        }
        send(event, false);
    }

    @Override
    public void progress(double seconds, Optional<Double> of, Optional<Double> qps) {
        also.progress(seconds, of, qps);
        var event = Event.of("progress", new Progress(seconds, of, qps));
        synchronized (kept) {
            progress = Optional.of(event);
        }
        send(event, false);
    }

    @Override
    public void round(Round r) {
        also.round(r);
        send(Event.of("round", Measured.of(r)), true);
    }

    @Override
    public void block(Block block, Round r) {
        also.block(block, r);
    }

    @Override
    public void knee(double concurrency, Interval ci95, double qps) {
        also.knee(concurrency, ci95, qps);
        send(Event.of("knee", new FoundKnee(concurrency, ci95.lo(), ci95.hi(), qps)), true);
    }

    @Override
    public void note(String says) {
        also.note(says);
        send(Event.of("note", new Says(says)), true);
    }

    /// The run is over.
    ///
    /// @param says its result in a sentence
    public void end(String says) {
        send(Event.of("end", new Says(says)), true);
        clients.forEach(SseClient::close);
    }
}
