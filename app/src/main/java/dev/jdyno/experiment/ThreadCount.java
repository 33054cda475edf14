package dev.jdyno.experiment;

import dev.jdyno.measure.Round;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// E3: requests that only sleep 1 ms, with 50 and with 850 threads: what the number of threads
/// itself costs. By F2 throughput stays; by F3 response time is N / X.
final class ThreadCount implements Experiment {
    private static final String PAGE = "/memory?bytes=1k&holdMs=1";

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
        List<Round> few = bench.at("E3 50", memory, PAGE, Duration.ofSeconds(6), 50, 50);
        List<Round> many = bench.at("E3 850", memory, PAGE, Duration.ofSeconds(6), 850, 850);
        double qps = (few.get(0).qps() + few.get(1).qps()) / 2;
        double qpsMany = (many.get(0).qps() + many.get(1).qps()) / 2;
        double rtMany = (many.get(0).rtMs().mean() + many.get(1).rtMs().mean()) / 2;
        return new Comparison(
                id(),
                title(),
                List.of(
                        Comparison.figure("QPS with 50 threads", 13_592, qps, "1/s"),
                        Comparison.predicted(
                                "QPS with 850 threads", 12_693, Optional.of(qps), qpsMany, "1/s"),
                        new Comparison.Row(
                                "RT with 850 threads",
                                Optional.empty(),
                                Optional.of(850 / qps * 1000),
                                rtMany,
                                "ms",
                                Optional.empty()),
                        Comparison.shape(
                                "QPS with 850 / with 50", 12_693 / 13_592.0, qpsMany / qps, 0.15)),
                List.of(
                        "predicted from the 50 threads: F2 for throughput, F3 for response time;"
                                + " threads are taken to cost nothing"));
    }
}
