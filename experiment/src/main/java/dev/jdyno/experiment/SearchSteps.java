package dev.jdyno.experiment;

import dev.jdyno.capacity.Bounds.LoadPoint;
import dev.jdyno.capacity.ServiceModel;
import dev.jdyno.experiment.Comparison.Row;
import dev.jdyno.experiment.lab.LabService;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.statistics.LoadWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// E8: a search page first gets shorter waits, then less computation, then more users. With a fixed
/// number of users who think, shorter waits reduce response time, but do not raise throughput. A
/// cheaper request raises throughput only with more users.
final class SearchSteps implements Experiment {
    /// Number of users. It and the think time follow from the published figures: 45 = N / (200 ms +
    /// Z) and 49 = N / (100 ms + Z).
    private static final int USERS = 55;

    private static final Duration THINK = Duration.ofMillis(1025);
    private static final int MORE_USERS = 240;
    private static final Duration WARM_UP = Duration.ofSeconds(3);
    private static final Duration LENGTH = Duration.ofSeconds(6);

    /// Parallel calls with one from the cache: they take the longest of 75 and 25 ms instead of 175
    /// ms.
    private static final String SHORTER_WAIT = "delay*0.4286";

    /// The request without the template, which takes 15 of 25 ms.
    private static final String CHEAPER = "cpu*0.4";

    private static final String PAGE = "/search?q=1";
    private static final String PARALLEL = PAGE + "&parallel=true&cache=true";
    private static final String BARE = PARALLEL + "&template=false";

    /// Throughput and response time with a number of users.
    ///
    /// @param cores CPU that the service used; 0 if it was not measured
    record Seen(double qps, double rtMs, double cores) {
        Seen(double qps, double rtMs) {
            this(qps, rtMs, 0);
        }

        private double cpuMs() {
            return 1000 * cores / qps;
        }
    }

    /// @param templateMore more users, still with the template
    record Steps(Seen serial, Seen parallel, Seen bare, Seen bareMore, Seen templateMore) {}

    @Override
    public String id() {
        return "E8";
    }

    @Override
    public String title() {
        return "a search page: calls in parallel and a cache, no template, more users";
    }

    @Override
    public Comparison run(Bench bench) throws InterruptedException {
        LabService perf = Demo.perf(bench.lab());
        Bench.Searched before = bench.search("E8 as it was", perf, PAGE);
        Steps predicted =
                new Steps(
                        at(Changed.model(before), USERS),
                        at(Changed.model(before, SHORTER_WAIT), USERS),
                        at(Changed.model(before, SHORTER_WAIT, CHEAPER), USERS),
                        at(Changed.model(before, SHORTER_WAIT, CHEAPER), MORE_USERS),
                        at(Changed.model(before, SHORTER_WAIT), MORE_USERS));
        Steps measured =
                new Steps(
                        measure(bench, perf, PAGE, USERS),
                        measure(bench, perf, PARALLEL, USERS),
                        measure(bench, perf, BARE, USERS),
                        measure(bench, perf, BARE, MORE_USERS),
                        measure(bench, perf, PARALLEL, MORE_USERS));
        return judged(measured, predicted);
    }

    private static Seen measure(Bench bench, LabService perf, String page, int users) {
        LoadSpec spec = LoadSpec.to(perf.url(page)).build();
        bench.loadWarm(spec, users, THINK, WARM_UP);
        double before = perf.cpuSeconds();
        LoadWindow window = bench.loadWarm(spec, users, THINK, LENGTH);
        double seconds = window.requests() / window.qps();
        return new Seen(
                window.qps(), window.latency().mean(), (perf.cpuSeconds() - before) / seconds);
    }

    private static Seen at(ServiceModel model, int users) {
        return withThink(model.curve(users), users, (double) THINK.toMillis());
    }

    /// The result for users who think between a reply and their next request: N = n + X(n) · Z,
    /// where n of the N users are in the service (interactive response time law).
    ///
    /// @param curve the model for 1, 2, … requests in the service
    static Seen withThink(List<LoadPoint> curve, int users, double thinkMs) {
        for (LoadPoint p : curve) {
            if (p.n() + p.qps() * thinkMs / 1000 >= users) {
                double rt = Math.max(p.rtMs(), users / p.qps() * 1000 - thinkMs);
                return new Seen(users / (rt + thinkMs) * 1000, rt);
            }
        }
        LoadPoint last = curve.getLast();
        return new Seen(last.qps(), last.rtMs());
    }

    static Comparison judged(Steps measured, Steps predicted) {
        List<Row> rows = new ArrayList<>();
        rows.add(qps("as it was", 45, predicted.serial(), measured.serial()));
        rows.add(rt("as it was", 200, predicted.serial(), measured.serial()));
        rows.add(qps("parallel, cache", 49, predicted.parallel(), measured.parallel()));
        rows.add(rt("parallel, cache", 100, predicted.parallel(), measured.parallel()));
        rows.add(qps("no template", 49, predicted.bare(), measured.bare()));
        rows.add(qps("no template, more users", 190, predicted.bareMore(), measured.bareMore()));
        rows.add(
                new Row(
                        "QPS, template, more users",
                        Optional.empty(),
                        Optional.of(predicted.templateMore().qps()),
                        measured.templateMore().qps(),
                        "1/s",
                        Optional.empty()));
        rows.add(
                Comparison.shape(
                        "RT with parallel calls and cache ÷ RT before",
                        0.5,
                        measured.parallel().rtMs() / measured.serial().rtMs(),
                        0.2));
        rows.add(
                Comparison.within(
                        "QPS with parallel calls and cache ÷ QPS before",
                        49 / 45.0,
                        measured.parallel().qps() / measured.serial().qps(),
                        "ratio",
                        0.98,
                        1.10));
        rows.add(
                Comparison.within(
                        "QPS without template ÷ QPS with it",
                        1,
                        measured.bare().qps() / measured.parallel().qps(),
                        "ratio",
                        0.95,
                        1.05));
        rows.add(
                Comparison.here(
                        "CPU of the service, no template, more users",
                        measured.bareMore().cores(),
                        "cores"));
        rows.add(moreUsers(measured));
        return new Comparison(
                "E8",
                new SearchSteps().title(),
                rows,
                List.of(
                        USERS
                                + " users who think "
                                + THINK.toMillis()
                                + " ms, by which the published 45/s at 200 ms and 49/s at 100 ms agree"
                                + " (interactive response time law), then "
                                + MORE_USERS,
                        "predicted from the service as it was: the waits × 0.43, the CPU × 0.4 (the template"
                                + " was 60 % of it)",
                        "client, service and downstream share the cores"));
    }

    private static Row moreUsers(Steps measured) {
        return Comparison.within(
                        "QPS with more users ÷ QPS with as many as before",
                        190 / 49.0,
                        measured.bareMore().qps() / measured.bare().qps(),
                        "ratio",
                        3,
                        Double.MAX_VALUE)
                .because(
                        String.format(
                                Locale.ROOT,
                                "with more users the service got %.2f cores and used %.1f ms of"
                                        + " CPU per request, with few users %.1f ms; if these"
                                        + " times are alike, other processes used the machine",
                                measured.bareMore().cores(),
                                measured.bareMore().cpuMs(),
                                measured.bare().cpuMs()));
    }

    private static Row qps(String step, double published, Seen predicted, Seen measured) {
        return Comparison.predicted(
                "QPS, " + step, published, Optional.of(predicted.qps()), measured.qps(), "1/s");
    }

    private static Row rt(String step, double published, Seen predicted, Seen measured) {
        return Comparison.predicted(
                "RT, " + step, published, Optional.of(predicted.rtMs()), measured.rtMs(), "ms");
    }
}
