package dev.jdyno.experiment;

import dev.jdyno.experiment.lab.LabService;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.Workload;
import dev.jdyno.measure.load.Workload.Check;
import dev.jdyno.measure.load.Workload.Journey;
import dev.jdyno.measure.load.Workload.Poll;
import dev.jdyno.measure.load.Workload.RowOrder;
import dev.jdyno.measure.load.Workload.Step;
import dev.jdyno.measure.load.Workload.Take;
import dev.jdyno.measure.statistics.Latency;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// E25: an operation that is answered at once and processed later. The response time does not show
/// the load; the time until the effect does.
final class EffectLatency implements Experiment {
    private static final int WORKERS = 2;
    private static final double WORK_MS = 50;
    private static final Duration EVERY = Duration.ofMillis(5);
    private static final Duration LENGTH = Duration.ofSeconds(6);
    private static final int USERS = 12;

    @Override
    public String id() {
        return "E25";
    }

    @Override
    public String title() {
        return "latency until the effect of an asynchronous operation (Tomcat)";
    }

    @Override
    public Comparison run(Bench bench) {
        LabService service =
                bench.lab()
                        .start(
                                "traffic.Traffic",
                                List.of("-Xmx256m"),
                                List.of("--port", "0", "--workers", Integer.toString(WORKERS)));
        LoadWindow one = load(bench, service, 1);
        LoadWindow many = load(bench, service, USERS);
        double max = WORKERS * 1000 / WORK_MS;
        // by Little's law R = N / X, because the operations of all users are in the queue
        double queued = USERS / max * 1000;
        double poll = EVERY.toNanos() / 1e6;
        return new Comparison(
                id(),
                title(),
                List.of(
                        Comparison.here("reply p50, 1 user", reply(one).p50(), "ms"),
                        Comparison.here("reply p50, " + USERS + " users", reply(many).p50(), "ms"),
                        Comparison.expected(
                                "effect p50, 1 user",
                                WORK_MS + poll / 2,
                                one.latency().p50(),
                                "ms",
                                0.2),
                        Comparison.expected(
                                "effect mean, " + USERS + " users",
                                queued,
                                many.latency().mean(),
                                "ms",
                                0.2),
                        Comparison.expected(
                                "operations/s, " + USERS + " users (F2)",
                                max,
                                many.qps(),
                                "1/s",
                                0.15),
                        Comparison.here(
                                "effect / reply, " + USERS + " users",
                                many.latency().p50() / reply(many).p50(),
                                ""),
                        Comparison.here(
                                "polls per operation", (double) many.polls() / many.requests(), ""),
                        Comparison.here("no effect in time", timeouts(many), "")),
                List.of(
                        WORKERS
                                + " workers take "
                                + (int) WORK_MS
                                + " ms for an operation; closed model",
                        "asked again every "
                                + EVERY.toMillis()
                                + " ms: an effect is seen up to that much too late",
                        "the source gives the method, no figures"));
    }

    private static Latency reply(LoadWindow w) {
        return Latency.of(Objects.requireNonNull(w.named().get("job: reply")).latencyNanos());
    }

    private static double timeouts(LoadWindow w) {
        return Optional.ofNullable(w.errorKinds().get(ErrorKind.EFFECT_TIMEOUT.key())).orElse(0L);
    }

    private static LoadWindow load(Bench bench, LabService service, int users) {
        Step job =
                new Step(
                                "job",
                                "GET",
                                "/job?ms=" + (int) WORK_MS,
                                Map.of(),
                                "",
                                List.of(),
                                List.of(new Take.Json("id", "/id")))
                        .withPoll(
                                new Poll(
                                        "GET",
                                        "/effect?id=${id}",
                                        Map.of(),
                                        "",
                                        List.of(new Check.JsonEquals("/state", "done")),
                                        EVERY,
                                        Poll.WITHIN));
        var workload =
                new Workload(
                        List.of(new Journey("job", 1, List.of(job))),
                        List.of(),
                        RowOrder.SEQUENTIAL);
        LoadSpec spec = LoadSpec.to(service.url("/")).workload(workload).build();
        return bench.load(spec, users, LENGTH);
    }
}
