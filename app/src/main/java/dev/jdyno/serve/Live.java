package dev.jdyno.serve;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.report.json.JsonObject;
import dev.jdyno.trial.TrialListener;
import io.javalin.http.sse.SseClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/// A run that goes on, as server-sent events: `phase`, `progress` (each second), `round`, `knee`,
/// `note`, `end`. Who comes later gets the rounds so far first.
public final class Live implements TrialListener {
    private final String name;
    private final TrialListener also;
    private final List<SseClient> clients = new CopyOnWriteArrayList<>();
    private final List<Event> kept = new ArrayList<>();
    private Optional<Event> phase = Optional.empty();

    private record Event(String kind, String json) {}

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
        var event = new Event("phase", new JsonObject().put("says", says).node().toString());
        synchronized (kept) {
            phase = Optional.of(event);
        }
        send(event, false);
    }

    @Override
    public void progress(double seconds, Optional<Double> of, Optional<Double> qps) {
        also.progress(seconds, of, qps);
        send(
                new Event(
                        "progress",
                        new JsonObject()
                                .put("seconds", seconds)
                                .putNumber("of", of)
                                .putNumber("qps", qps)
                                .node()
                                .toString()),
                false);
    }

    @Override
    public void round(Round r) {
        also.round(r);
        send(
                new Event(
                        "round",
                        new JsonObject()
                                .put("concurrency", (long) r.concurrency())
                                .putNumber("ratePerS", r.ratePerS())
                                .put("qps", r.qps())
                                .put("p50", r.rtMs().p50())
                                .put("p99", r.rtMs().p99())
                                .put("errorShare", r.errorShare())
                                .putNumber("cpuCores", r.cpu().map(c -> c.processCores()))
                                .putNumber("gcShare", r.gc().map(g -> g.pauseShare()))
                                .node()
                                .toString()),
                true);
    }

    @Override
    public void knee(double concurrency, Interval ci95, double qps) {
        also.knee(concurrency, ci95, qps);
        send(
                new Event(
                        "knee",
                        new JsonObject()
                                .put("concurrency", concurrency)
                                .put("lo", ci95.lo())
                                .put("hi", ci95.hi())
                                .put("qps", qps)
                                .node()
                                .toString()),
                true);
    }

    @Override
    public void note(String says) {
        also.note(says);
        send(new Event("note", new JsonObject().put("says", says).node().toString()), true);
    }

    /// The run is over.
    ///
    /// @param says its result in a sentence
    public void end(String says) {
        send(new Event("end", new JsonObject().put("says", says).node().toString()), true);
        clients.forEach(SseClient::close);
    }
}
