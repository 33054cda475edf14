package dev.jdyno.experiment;

import dev.jdyno.experiment.Comparison.Judged;
import dev.jdyno.experiment.Comparison.Row;
import dev.jdyno.experiment.lab.LabService;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.gc.GcActivity;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// E7: a page creates a session for each request. The sessions outlive the run and fill the heap
/// until full collections never end. The same page without sessions has no such problem.
final class SessionPerRequest implements Experiment {
    private static final List<String> FLAGS =
            List.of("-XX:+UseParallelGC", "-Xms128m", "-Xmx128m", "-XX:GCTimeLimit=100");

    private static final String WITHOUT = "/memory?bytes=128k&chunk=8k&holdMs=1";

    /// With a session: half of a request's memory stays longer than the run.
    private static final String WITH = WITHOUT + "&keep=64k&keepMs=60000";

    private static final Duration LENGTH = Duration.ofSeconds(8);

    @Override
    public String id() {
        return "E7";
    }

    @Override
    public String title() {
        return "a session per request fills the heap";
    }

    @Override
    public Comparison run(Bench bench) throws InterruptedException {
        Round fine = measure(bench, "without sessions", WITHOUT);
        Round full = measure(bench, "with a session per request", WITH);
        return new Comparison(
                id(),
                title(),
                List.of(
                        figure("full GCs without sessions", fulls(fine), "GCs"),
                        judged("full GCs with sessions", fulls(full), "GCs", fulls(full) >= 3),
                        figure("stopped by the collector, without", stopped(fine), "%"),
                        judged(
                                "stopped by the collector, with",
                                stopped(full),
                                "%",
                                stopped(full) > 3 * Math.max(1, stopped(fine))),
                        new Row(
                                "old generation in use, with sessions",
                                Optional.of(98.0),
                                Optional.empty(),
                                oldUsed(full),
                                "%",
                                Optional.of(new Judged(oldUsed(full) >= 90, 0.08)))),
                List.of(
                        "published: full collections without end, sessions retain 98 % of the heap",
                        "128 MB of heap, 64 KB a session; the run ends before memory does or when it has"
                                + " ended, whichever comes first"));
    }

    private static Round measure(Bench bench, String name, String page)
            throws InterruptedException {
        try (LabService service =
                bench.lab().start("memory.Memory", FLAGS, List.of("--port", "0"))) {
            return bench.steady("E7 " + name, service, page, LENGTH, 4);
        }
    }

    private static double fulls(Round round) {
        return round.gc().map(g -> (double) g.full().count()).orElse(0.0);
    }

    private static double stopped(Round round) {
        return round.gc().map(GcActivity::pauseShare).orElse(0.0) * 100;
    }

    private static double oldUsed(Round round) {
        return round.gc()
                .flatMap(g ->
                        g.oldUsedBytes()
                                .flatMap(used -> g.oldCapacityBytes().map(c -> used / c * 100)))
                .orElse(0.0);
    }

    private static Row figure(String name, double measured, String unit) {
        return new Row(name, Optional.empty(), Optional.empty(), measured, unit, Optional.empty());
    }

    private static Row judged(String name, double measured, String unit, boolean holds) {
        return new Row(
                name,
                Optional.empty(),
                Optional.empty(),
                measured,
                unit,
                Optional.of(new Judged(holds, 0)));
    }
}
