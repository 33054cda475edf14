package dev.jdyno.experiment;

import dev.jdyno.experiment.Comparison.Row;
import dev.jdyno.experiment.lab.LabService;
import dev.jdyno.measure.Round;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// E1: a page uses CPU, then waits for another service, on 2 cores. Halving the CPU time doubles
/// QPS. Halving the wait leaves QPS unchanged and reduces RT.
final class CpuAndIo implements Experiment {
    /// Maximum relative distance of the two QPS ratios from the published ones.
    private static final double TOLERANCE = 0.15;

    private record Case(double cpuMs, double ioMs, double knee, double qps, double rtMs) {
        String page() {
            return String.format(Locale.ROOT, "/perf?cpu=%s&io=%s", cpuMs, ioMs);
        }

        String name() {
            return String.format(Locale.ROOT, "%.0f ms CPU, %.0f ms wait", cpuMs, ioMs);
        }
    }

    private static final List<Case> CASES =
            List.of(
                    new Case(10, 80, 20, 175, 114),
                    new Case(5, 80, 40, 339, 118),
                    new Case(10, 40, 13, 176, 73));

    @Override
    public String id() {
        return "E1";
    }

    @Override
    public String title() {
        return "CPU burn + wait for another service, three cases";
    }

    @Override
    public Comparison run(Bench bench) throws InterruptedException {
        LabService perf = Demo.perf(bench.lab());
        List<Row> rows = new ArrayList<>();
        double[] knee = new double[CASES.size()];
        List<Bench.Searched> curves = new ArrayList<>();
        for (int i = 0; i < CASES.size(); i++) {
            Case c = CASES.get(i);
            Bench.Searched searched = bench.search("E1 case " + (i + 1), perf, c.page());
            curves.add(searched);
            knee[i] = searched.knee().concurrency();
            rows.add(
                    Comparison.predicted(
                            "N* at " + c.name(),
                            c.knee(),
                            searched.predictedKnee(),
                            knee[i],
                            "requests"));
        }
        double[] qps = new double[CASES.size()];
        double[] rt = new double[CASES.size()];
        // interleaved A B C C B A, so that drift of the machine affects all three equally
        for (int i : new int[] {0, 1, 2, 2, 1, 0}) {
            Case c = CASES.get(i);
            List<Round> rounds =
                    bench.at(
                            "E1 plateau " + (i + 1),
                            perf,
                            c.page(),
                            Duration.ofSeconds(5),
                            (int) Math.round(knee[i]),
                            (int) Math.round(2.5 * knee[i]));
            rt[i] += rounds.getFirst().rtMs().mean() / 2;
            qps[i] += rounds.getLast().qps() / 2;
        }
        for (int i = 0; i < CASES.size(); i++) {
            Case c = CASES.get(i);
            rows.add(Comparison.figure("QPS at " + c.name(), c.qps(), qps[i], "1/s"));
            rows.add(Comparison.figure("RT at N*, " + c.name(), c.rtMs(), rt[i], "ms"));
        }
        rows.add(Comparison.shape("QPS case 2 / case 1", 339 / 175.0, qps[1] / qps[0], TOLERANCE));
        rows.add(Comparison.shape("QPS case 3 / case 1", 176 / 175.0, qps[2] / qps[0], TOLERANCE));
        rows.add(Comparison.shape("N* case 2 / case 1", 40 / 20.0, knee[1] / knee[0], 0.25));
        rows.add(Comparison.shape("N* case 3 / case 1", 13 / 20.0, knee[2] / knee[0], 0.25));
        rows.add(Comparison.shape("RT case 3 / case 1", 73 / 114.0, rt[2] / rt[0], 0.25));
        Bench.Searched first = curves.getFirst();
        first.knee()
                .predicted()
                .ifPresent(p ->
                        rows.add(
                                new Row(
                                        "QPS, case 1 from below its knee",
                                        Optional.empty(),
                                        Optional.of(p.qps()),
                                        first.knee().qps(),
                                        "1/s",
                                        Optional.empty())));
        return new Comparison(
                id(),
                title(),
                Changed.and(
                        rows,
                        Changed.of("case 1 with half the CPU", first, "cpu*0.5", curves.get(1)),
                        Changed.of("case 1 with half the wait", first, "delay*0.5", curves.get(2))),
                List.of(
                        "QPS is that of 2.5 N*, RT that at N*, each the mean of two 5 s rounds run"
                                + " interleaved A B C C B A",
                        "client, service and downstream share this machine; the original had them"
                                + " apart"));
    }
}
