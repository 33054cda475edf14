package dev.jdyno.experiment;

import dev.jdyno.experiment.lab.LabService;
import dev.jdyno.measure.Round;
import java.time.Duration;
import java.util.List;

/// E2: 1 MB allocated per request. Above the knee, throughput stays constant and RT grows in
/// proportion to N (F4).
final class ResponseTimeAboveKnee implements Experiment {
    private static final String PAGE = "/memory?bytes=1m&holdMs=0";

    @Override
    public String id() {
        return "E2";
    }

    @Override
    public String title() {
        return "1 MB per request: RT is proportional to N above the knee (F4)";
    }

    @Override
    public Comparison run(Bench bench) throws InterruptedException {
        LabService memory =
                bench.lab()
                        .start(
                                "memory.Memory",
                                // The heap has several times the memory that 200 requests hold. The
                                // formula above the knee (F4) describes the queue, not the copying
                                // of the collector.
                                List.of("-Xms1536m", "-Xmx1536m", "-Xmn1g", "-XX:+UseParallelGC"),
                                List.of("--port", "0", "--max-threads", "400"));
        // the two compared loads run as A B B A, so that drift of the machine affects both
        List<Round> r = bench.at("E2", memory, PAGE, Duration.ofSeconds(8), 2, 100, 200, 200, 100);
        double low = r.get(0).rtMs().mean();
        double mid = (r.get(1).rtMs().mean() + r.get(4).rtMs().mean()) / 2;
        double high = (r.get(2).rtMs().mean() + r.get(3).rtMs().mean()) / 2;
        double qpsMid = (r.get(1).qps() + r.get(4).qps()) / 2;
        double qpsHigh = (r.get(2).qps() + r.get(3).qps()) / 2;
        return new Comparison(
                id(),
                title(),
                List.of(
                        Comparison.figure("QPS at N = 2", 1100, r.get(0).qps(), "1/s"),
                        Comparison.figure("QPS at N = 100", 1100, qpsMid, "1/s"),
                        Comparison.figure("QPS at N = 200", 1100, qpsHigh, "1/s"),
                        Comparison.figure("RT at N = 2", 1.9, low, "ms"),
                        Comparison.figure("RT at N = 100", 89, mid, "ms"),
                        Comparison.figure("RT at N = 200", 170, high, "ms"),
                        Comparison.shape("RT(200) / RT(100)", 170 / 89.0, high / mid, 0.15),
                        Comparison.shape("QPS(200) / QPS(100)", 1.0, qpsHigh / qpsMid, 0.15),
                        Comparison.shape(
                                "RT(100) · 2 / (RT(2) · 100)",
                                89 * 2 / (1.9 * 100),
                                mid * 2 / (low * 100),
                                0.30)),
                List.of("F4: R(N) = (N / N*) · R(N*), with N* near the number of cores"));
    }
}
