package dev.jdyno.experiment;

import dev.jdyno.experiment.lab.LabService;
import dev.jdyno.measure.Round;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// E3: requests that only sleep 1 ms, with few and with 850 threads: the cost of the number of
/// threads itself. At saturation, throughput stays the same (F2) and response time is N / X (F4).
final class ThreadCount implements Experiment {
    private static final String PAGE = "/memory?bytes=1k&holdMs=1";

    private static final int FEW = 50;
    private static final int MANY = 850;

    /// Multiple of the knee that saturates the limiting resource.
    private static final double BEYOND_KNEE = 2.5;

    @Override
    public String id() {
        return "E3";
    }

    @Override
    public String title() {
        return "thread count itself: 50 and 850 threads that sleep 1 ms";
    }

    @Override
    public Comparison run(Bench bench) throws InterruptedException {
        LabService memory =
                bench.lab()
                        .start(
                                "memory.Memory",
                                List.of("-Xms512m", "-Xmx512m"),
                                List.of("--port", "0", "--max-threads", "1000"));
        Bench.Searched curve = bench.search("E3 knee", memory, PAGE);
        int enough = Math.max(FEW, (int) Math.round(BEYOND_KNEE * curve.knee().concurrency()));
        List<Round> rounds =
                bench.at(
                        "E3 few, many, many, few",
                        memory,
                        PAGE,
                        Duration.ofSeconds(6),
                        enough,
                        MANY,
                        MANY,
                        enough);
        double qps = mean(rounds.get(0).qps(), rounds.get(3).qps());
        double qpsMany = mean(rounds.get(1).qps(), rounds.get(2).qps());
        double rtMany = mean(rounds.get(1).rtMs().mean(), rounds.get(2).rtMs().mean());
        double predicted = curve.knee().qps();
        return new Comparison(
                id(),
                title(),
                List.of(
                        Comparison.figure("QPS with few threads", 13_592, qps, "1/s"),
                        Comparison.here("few threads", (long) enough, "threads"),
                        Comparison.predicted(
                                "QPS with 850 threads",
                                12_693,
                                Optional.of(predicted),
                                qpsMany,
                                "1/s"),
                        new Comparison.Row(
                                "RT with 850 threads",
                                Optional.empty(),
                                Optional.of(MANY / predicted * 1000),
                                rtMany,
                                "ms",
                                Optional.empty()),
                        Comparison.shape(
                                "QPS with 850 / with few", 12_693 / 13_592.0, qpsMany / qps, 0.15)),
                List.of(
                        "predicted from the knee's search up to 512 threads: F2 for throughput, F4 for"
                                + " response time; threads are taken to cost nothing",
                        "50 threads used the original's CPU up; the few are as many as do it here"));
    }

    private static double mean(double a, double b) {
        return (a + b) / 2;
    }
}
