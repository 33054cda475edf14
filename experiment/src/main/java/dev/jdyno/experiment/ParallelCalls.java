package dev.jdyno.experiment;

import dev.jdyno.experiment.Bench.Searched;
import dev.jdyno.experiment.lab.LabService;
import dev.jdyno.measure.Round;
import java.util.List;

/// E13: analyse → three calls → process. Parallel calls reduce RT and N* (knee formula F1 with the
/// critical path), but do not change throughput (F2).
final class ParallelCalls implements Experiment {
    /// Share of the serial calls' time that the longest call takes: 100 of 50 + 25 + 100 ms.
    private static final double CRITICAL_SHARE = 0.5714;

    @Override
    public String id() {
        return "E13";
    }

    @Override
    public String title() {
        return "three downstream calls, one after another and in parallel";
    }

    @Override
    public Comparison run(Bench bench) throws InterruptedException {
        LabService perf = Demo.perf(bench.lab());
        Searched serial = bench.search("E13 serial", perf, "/calls?parallel=false");
        Searched parallel = bench.search("E13 parallel", perf, "/calls?parallel=true");
        double serialRt = oneUser(serial);
        double parallelRt = oneUser(parallel);
        double serialKnee = serial.knee().concurrency();
        double parallelKnee = parallel.knee().concurrency();
        return new Comparison(
                id(),
                title(),
                Changed.and(
                        List.of(
                                Comparison.figure(
                                        "RT of one user, calls in series", 200, serialRt, "ms"),
                                Comparison.figure(
                                        "RT of one user, calls in parallel", 125, parallelRt, "ms"),
                                Comparison.predicted(
                                        "N* serial",
                                        32,
                                        serial.predictedKnee(),
                                        serialKnee,
                                        "requests"),
                                Comparison.predicted(
                                        "N* parallel",
                                        20,
                                        parallel.predictedKnee(),
                                        parallelKnee,
                                        "requests"),
                                Comparison.figure("QPS serial", 160, serial.knee().qps(), "1/s"),
                                Comparison.figure(
                                        "QPS parallel", 160, parallel.knee().qps(), "1/s"),
                                Comparison.shape(
                                        "RT parallel / serial",
                                        125 / 200.0,
                                        parallelRt / serialRt,
                                        0.15),
                                Comparison.shape(
                                        "N* parallel / serial",
                                        20 / 32.0,
                                        parallelKnee / serialKnee,
                                        0.25),
                                Comparison.shape(
                                        "QPS parallel / serial",
                                        1,
                                        parallel.knee().qps() / serial.knee().qps(),
                                        0.15)),
                        Changed.of(
                                "calls in parallel", serial, "delay*" + CRITICAL_SHARE, parallel)),
                List.of(
                        "published for 4 cores; N* and QPS scale with the cores, the ratios do not"));
    }

    private static double oneUser(Searched searched) {
        return searched.recording().rounds().stream()
                .filter(r -> r.concurrency() == 1)
                .findFirst()
                .map(Round::rtMs)
                .map(rt -> rt.mean())
                .orElseThrow();
    }
}
