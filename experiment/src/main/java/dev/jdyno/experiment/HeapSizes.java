package dev.jdyno.experiment;

import dev.jdyno.experiment.Comparison.Row;
import dev.jdyno.experiment.lab.Jdks;
import dev.jdyno.experiment.lab.Lab;
import dev.jdyno.heapmodel.simulation.Arrivals;
import dev.jdyno.heapmodel.simulation.Collector;
import dev.jdyno.heapmodel.simulation.HeapFlags;
import dev.jdyno.heapmodel.simulation.HeapWorkload;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.plan.Plan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// E9: 1 MB per request on the default heap of a 2 GB server, on 1500 MB, and on 1500 MB with a
/// young generation of 1000 MB.
final class HeapSizes implements Tunable {
    private static final Duration LENGTH = Duration.ofSeconds(8);
    private static final int CLIENTS = 100;

    /// The obvious first change, which did not help.
    private static final String LARGER_HEAP = "-Xmx1500m";

    private record Config(String name, HeapFlags flags, double youngGcs, double qps) {}

    private static final List<Config> CONFIGS =
            List.of(
                    new Config(
                            "-Xmx512m, the default then",
                            HeapFlags.of(Collector.PARALLEL, Bytes.parse("512m")),
                            2700,
                            1262),
                    new Config(
                            "-Xmx1500m",
                            HeapFlags.of(Collector.PARALLEL, Bytes.parse("1500m")),
                            800,
                            989),
                    new Config(
                            "-Xmx1500m -Xmn1000m -XX:SurvivorRatio=8",
                            HeapFlags.of(Collector.PARALLEL, Bytes.parse("1500m"))
                                    .withYoung(Bytes.parse("1000m"))
                                    .withSurvivorRatio(8),
                            400,
                            1927));

    @Override
    public String id() {
        return "E9";
    }

    @Override
    public String title() {
        return "heap and young size at 1 MB a request";
    }

    @Override
    public Comparison run(Bench bench) throws InterruptedException {
        List<Row> rows = new ArrayList<>();
        List<Double> perRequest = new ArrayList<>();
        List<Double> gcShare = new ArrayList<>();
        Jdks.Jdk java = Jdks.all().getLast();
        for (Config c : CONFIGS) {
            var given =
                    new HeapCase(
                            c.name(),
                            c.flags(),
                            HeapWorkload.holding(
                                    Bytes.parse("1m"),
                                    Duration.ofMillis(40),
                                    new Arrivals.Closed(CLIENTS),
                                    1),
                            CLIENTS);
            HeapCase.Outcome o = given.run(bench, java, LENGTH);
            String full =
                    String.format(
                            Locale.ROOT,
                            "%d collections were full ones, %d of them predicted: Parallel collects the"
                                    + " whole heap instead where old has no room for what it has learnt to"
                                    + " expect",
                            o.gc().full().count(),
                            o.predicted().fullGcs());
            rows.add(o.countRow().because(full));
            rows.add(
                    Comparison.here("full GCs, " + c.name(), o.gc().full().count(), "GCs")
                            .predicted(o.predicted().fullGcs()));
            rows.add(Comparison.figure("QPS, " + c.name(), c.qps(), o.round().qps(), "1/s"));
            perRequest.add((double) o.gc().young().count() / o.round().requests());
            gcShare.add(o.gc().pauseShare());
        }
        rows.add(ordered("minor GCs a request, in this order", perRequest));
        rows.add(
                Comparison.holds(
                        "least GC time with the large young generation",
                        gcShare.get(2) <= Math.min(gcShare.get(0), gcShare.get(1))));
        return new Comparison(
                id(),
                title(),
                rows,
                List.of(
                        "1 MB held 40 ms, 100 at a time; published: N = 100, requests not reported",
                        "published QPS fell with the bigger heap alone (1262 to 989); its source does"
                                + " not say why, and the model has no reason for it"));
    }

    @Override
    public Plan plan(Lab lab) {
        String command =
                lab.command(
                        "memory.Memory",
                        List.of("-XX:+UseParallelGC", "-Xms512m", "-Xmx512m"),
                        List.of("--port", Plan.PORT));
        return planFor(command, "/memory?bytes=1m&holdMs=40", List.of(1, 10, 50, CLIENTS))
                .withKnobs(List.of(Tunable.heapKnob(LARGER_HEAP)));
    }

    @Override
    public Comparison judged(Found found) {
        boolean young =
                found.has(c -> c instanceof Change.JvmFlag flag && flag.name().equals("-Xmn"));
        boolean heapAlone = !young && found.has(c -> c.equals(Change.jvmArgument(LARGER_HEAP)));
        return new Comparison(
                id(),
                "tuned unattended from the launch command, with a larger heap as a knob",
                List.of(
                        Comparison.figure(
                                "QPS tuned ÷ QPS as found",
                                1927 / 1262.0,
                                found.gain().orElse(1.0),
                                "ratio"),
                        Comparison.holds("ends with a larger young generation", young),
                        Comparison.holds("does not take the larger heap alone", !heapAlone)),
                List.of(
                        "published: the larger heap alone made it worse, the larger young fixed it"));
    }

    private static Row ordered(String figure, List<Double> falling) {
        boolean holds = falling.get(0) > falling.get(1) && falling.get(1) > falling.get(2);
        return Comparison.holds(figure + " 2700 > 800 > 400", holds);
    }
}
