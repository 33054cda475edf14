package dev.jdyno.experiment;

import dev.jdyno.experiment.Comparison.Judged;
import dev.jdyno.experiment.Comparison.Row;
import dev.jdyno.experiment.lab.LabService;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.gc.GcActivity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// E6 and E11: a service whose heap has room for the requests of few threads at a time. With more
/// threads, the memory that they hold is promoted, and full collections take the CPU (F6).
final class TooManyThreads implements Experiment {
    /// A heap of 192 MB with survivor spaces of 16 MB. The memory that 15 threads hold fits into
    /// such a space, that of 100 threads does not.
    static final List<String> FLAGS =
            List.of(
                    "-XX:+UseParallelGC",
                    "-Xms192m",
                    "-Xmx192m",
                    "-Xmn96m",
                    "-XX:SurvivorRatio=4",
                    "-XX:-UseAdaptiveSizePolicy");

    private static final String PAGE = "/memory?bytes=1m&chunk=16k&holdMs=100";
    private static final Duration LENGTH = Duration.ofSeconds(10);

    /// @param published published throughput, in completed requests per second
    private record Step(String name, int threads, int users, double published) {}

    private final String id;
    private final String title;
    private final List<Step> steps;
    private final double publishedRatio;
    private final boolean predicted;

    /// @param predicted whether the first step is predicted from a service with the last step's
    ///   threads
    private TooManyThreads(
            String id, String title, double publishedRatio, boolean predicted, List<Step> steps) {
        this.id = id;
        this.title = title;
        this.publishedRatio = publishedRatio;
        this.predicted = predicted;
        this.steps = steps;
    }

    static TooManyThreads e6() {
        return new TooManyThreads(
                "E6",
                "a detail page with 15 and with 200 threads under 100 users",
                70 / 55.0,
                false,
                List.of(
                        new Step("15 threads, 100 users", 15, 100, 70),
                        new Step("200 threads, 100 users", 200, 100, 55)));
    }

    static TooManyThreads e11() {
        return new TooManyThreads(
                "E11",
                "16, 40 and 100 threads on one service",
                120 / 60.0,
                true,
                List.of(
                        new Step("16 threads", 16, 16, 120),
                        new Step("40 threads", 40, 40, 100),
                        new Step("100 threads", 100, 100, 60)));
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public Comparison run(Bench bench) throws InterruptedException {
        List<Row> rows = new ArrayList<>();
        List<Round> rounds = new ArrayList<>();
        for (Step step : steps) {
            try (LabService service = start(bench, step.threads())) {
                Round round =
                        bench.steady(id + " " + step.name(), service, PAGE, LENGTH, step.users());
                rounds.add(round);
                rows.add(
                        Comparison.figure(
                                "QPS, " + step.name(), step.published(), round.qps(), "1/s"));
                rows.add(figure("full GCs/min, " + step.name(), fullPerMinute(round), "1/min"));
                rows.add(
                        figure(
                                "stopped, " + step.name(),
                                round.gc().map(GcActivity::pauseShare).orElse(0.0) * 100,
                                "%"));
            }
        }
        Round few = rounds.getFirst();
        Round many = rounds.getLast();
        if (predicted) {
            rows.addAll(predicted(bench, few));
        }
        rows.add(
                judged(
                        "full GCs/min, many / few threads",
                        fullPerMinute(many) / Math.max(1, fullPerMinute(few)),
                        fullPerMinute(many) > 2 * Math.max(1, fullPerMinute(few))));
        double perCpu = qpsWithoutPauses(few) / qpsWithoutPauses(many);
        rows.add(
                new Row(
                        "time left by the collector, few / many threads",
                        Optional.of(publishedRatio),
                        Optional.empty(),
                        perCpu,
                        "ratio",
                        Optional.of(new Judged(perCpu > 1.05, publishedRatio - 1.05))));
        return new Comparison(
                id,
                title,
                rows,
                List.of(
                        "1 MB a request held for 100 ms, 192 MB of heap, survivors of 16 MB, Parallel",
                        "the published page burnt CPU as well, so its throughput was what the collector left;"
                                + " here nothing else limits it, so the time that the collector leaves is judged"));
    }

    /// The recommendation, predicted from the unchanged service: its knee is searched with all
    /// threads, and the model gives the throughput with fewer requests in the service. No model
    /// predicts the problem itself: the cost of a collection grows with concurrency, but a demand
    /// is constant.
    private List<Row> predicted(Bench bench, Round few) throws InterruptedException {
        Step min = steps.getFirst();
        int max = steps.getLast().threads();
        try (LabService service = start(bench, max)) {
            Bench.Searched searched = bench.search(id + " with " + max + " threads", service, PAGE);
            double qps =
                    Changed.model(searched, "threads=" + min.threads())
                            .curve(min.users())
                            .getLast()
                            .qps();
            return List.of(
                    new Row(
                            "QPS, " + min.name() + ", from " + max,
                            Optional.empty(),
                            Optional.of(qps),
                            few.qps(),
                            "1/s",
                            Optional.empty()),
                    new Row(
                            "RT, " + min.name() + ", from " + max,
                            Optional.empty(),
                            Optional.of(min.users() / qps * 1000),
                            few.rtMs().mean(),
                            "ms",
                            Optional.empty()));
        }
    }

    private static LabService start(Bench bench, int threads) {
        return bench.lab()
                .start(
                        "memory.Memory",
                        FLAGS,
                        List.of("--port", "0", "--max-threads", Integer.toString(threads)));
    }

    private static double qpsWithoutPauses(Round round) {
        return 1 - round.gc().map(GcActivity::pauseShare).orElse(0.0);
    }

    private static double fullPerMinute(Round round) {
        return round.gc().map(g -> g.full().count() * 60 / round.seconds()).orElse(0.0);
    }

    private static Row figure(String name, double measured, String unit) {
        return new Row(name, Optional.empty(), Optional.empty(), measured, unit, Optional.empty());
    }

    private static Row judged(String name, double measured, boolean holds) {
        return new Row(
                name,
                Optional.empty(),
                Optional.empty(),
                measured,
                "ratio",
                Optional.of(new Judged(holds, 0)));
    }
}
