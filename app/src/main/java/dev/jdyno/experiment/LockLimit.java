package dev.jdyno.experiment;

import dev.jdyno.measure.Round;
import java.util.List;
import java.util.Optional;

/// E12: a lock held 50 ms, 20 ms of CPU, an 80 ms call, 2 cores: the CPU would allow 15 threads,
/// the lock allows 3 (F1, F2).
final class LockLimit implements Experiment {
    @Override
    public String id() {
        return "E12";
    }

    @Override
    public String title() {
        return "a lock held 50 ms + 20 ms of CPU + an 80 ms call";
    }

    @Override
    public Comparison run(Bench bench) throws InterruptedException {
        LabService perf = Demo.perf(bench.lab());
        Bench.Searched searched = bench.search("E12", perf, "/lock?ms=50&cpu=20&io=80");
        double knee = searched.knee().concurrency();
        double qps = searched.knee().qps();
        double low =
                searched.recording().rounds().stream()
                        .filter(r -> r.concurrency() == 1)
                        .findFirst()
                        .map(Round::rtMs)
                        .map(rt -> rt.mean())
                        .orElseThrow();
        return new Comparison(
                id(),
                title(),
                List.of(
                        Comparison.predicted("QPS", 20, Optional.of(1000 / 50.0), qps, "1/s"),
                        Comparison.predicted(
                                "N* by the lock", 3, Optional.of(150 / 50.0), knee, "requests"),
                        Comparison.predicted(
                                "N* by the CPU",
                                15,
                                searched.predictedKnee(),
                                searched.predictedKnee().orElse(0.0),
                                "requests"),
                        Comparison.figure("RT of one user", 150, low, "ms"),
                        Comparison.shape("QPS · 50 ms (F2: 1)", 1, qps * 50 / 1000, 0.15),
                        Comparison.shape("N* / F1's 3", 1, knee / 3, 0.25)),
                List.of(
                        "the section sleeps while it holds the lock",
                        "'N* by the CPU' is F1 from CPU measured below the knee: what more cores of"
                                + " threads would be worth without the lock"));
    }
}
