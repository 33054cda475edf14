package dev.jdyno.experiment;

import dev.jdyno.experiment.lab.LabService;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.text.UserError;
import java.util.List;
import java.util.Optional;

/// E12: a lock held 50 ms, 20 ms of CPU and an 80 ms call on 2 cores. The CPU would allow 15
/// threads, the lock allows 3 (knee formula F1, throughput formula F2).
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
        Bench.Searched shorter = bench.search("E12 shorter", perf, "/lock?ms=10&cpu=20&io=80");
        double knee = searched.knee().concurrency();
        double qps = searched.knee().qps();
        Round oneUser =
                searched.recording().rounds().stream()
                        .filter(r -> r.concurrency() == 1)
                        .findFirst()
                        .orElseThrow();
        double low = oneUser.rtMs().mean();
        // the knee formula (F1) for the CPU: (wait + cpu) / cpu · cores, from the measured times of
        // one user
        double cpuMs =
                oneUser.cpuMsPerRequest()
                        .orElseThrow(() ->
                                UserError.target(
                                        "the service's CPU use was not measured",
                                        "/proc gave no figures for it",
                                        "run it on Linux"));
        double byCpu = low / cpuMs * searched.recording().machine().cores();
        return new Comparison(
                id(),
                title(),
                Changed.and(
                        List.of(
                                Comparison.predicted(
                                        "QPS", 20, Optional.of(1000 / 50.0), qps, "1/s"),
                                Comparison.predicted(
                                        "N* by the lock",
                                        3,
                                        Optional.of(150 / 50.0),
                                        knee,
                                        "requests"),
                                Comparison.figure("N* the CPU would allow", 15, byCpu, "requests"),
                                Comparison.figure("RT of one user", 150, low, "ms"),
                                Comparison.shape("QPS · 50 ms (F2: 1)", 1, qps * 50 / 1000, 0.15),
                                Comparison.shape("N* / F1's 3", 1, knee / 3, 0.25)),
                        // without a diagnosis, the limit has no name; it is the lock
                        Changed.of("lock held 10 ms", searched, "unknown limit*0.2", shorter)),
                List.of(
                        "the section sleeps while it holds the lock",
                        "N* the CPU would allow is F1 from one user's measured times: layers disagree,"
                                + " the smallest wins"));
    }
}
