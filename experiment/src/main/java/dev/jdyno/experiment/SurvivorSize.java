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
import java.util.Optional;

/// E21 at an eighth of its sizes. Objects cached for 1.7 s survive their first collection in a
/// survivor space that holds only half of them, and are promoted at their second. A larger old
/// generation makes full collections rarer; larger survivor spaces end them.
final class SurvivorSize implements Tunable {
    private static final Duration LENGTH = Duration.ofSeconds(12);
    private static final double PUBLISHED_SECONDS = 300;

    /// Number of clients that gives 300 requests per second, at 60 ms per request.
    private static final int CLIENTS = 18;

    private static final HeapWorkload LOAD =
            new HeapWorkload(
                    Bytes.parse("1m"),
                    Optional.of(Bytes.parse("1k")),
                    Bytes.parse("100k"),
                    Duration.ofMillis(60),
                    true,
                    Duration.ofMillis(1700),
                    Duration.ZERO,
                    2,
                    new Arrivals.Closed(CLIENTS),
                    1,
                    HeapWorkload.SMALL_BYTES);

    private static final String XMX = "512m";
    private static final String XMN = "357m";

    /// The obvious first change, which helped least.
    private static final String LARGER_HEAP = "-Xmx1g";

    /// The page for tuning. At saturation it gets ten times as many requests as in the published
    /// five minutes, so each request's cached part lives a tenth of the time: the same share of a
    /// young generation. Long-lived data, which makes full collections costly, is not part of this
    /// page: `LIVE_MB` adds it.
    private static final String TUNED_PAGE =
            "/memory?bytes=1m&chunk=16k&release=true&holdMs=2&keep=112k&keepMs=250";

    private static final String LIVE_MB = "40";
    private static final int TUNED_CLIENTS = 16;

    /// @param fullGcs published number of full collections in five minutes
    private record Heap(String name, String xmx, String xmn, int survivorRatio, double fullGcs) {}

    private static final List<Heap> HEAPS =
            List.of(
                    new Heap("4 GB / 8", XMX, XMN, 8, 43),
                    new Heap("8 GB / 8", "1g", XMN, 8, 6),
                    new Heap("8 GB / 8, survivors 1 GB / 8", "1g", "640m", 3, 0));

    @Override
    public String id() {
        return "E21";
    }

    @Override
    public String title() {
        return "survivor size and full collections";
    }

    @Override
    public Comparison run(Bench bench) throws InterruptedException {
        List<Row> rows = new ArrayList<>();
        for (Jdks.Jdk java : Jdks.all()) {
            for (Collector collector : List.of(Collector.SERIAL, Collector.PARALLEL)) {
                for (Heap heap : HEAPS) {
                    HeapCase.Outcome o = given(collector, java, heap).run(bench, java, LENGTH);
                    rows.add(o.countRow());
                    rows.add(o.fullRow(PUBLISHED_SECONDS, heap.fullGcs()));
                    rows.add(o.frequentRow(Optional.of(heap.fullGcs() > 0)));
                }
            }
        }
        return new Comparison(
                id(),
                title(),
                rows,
                List.of(
                        "an eighth of the published heap, young generation and survivors; 1 MB a"
                                + " request in arrays of 1 KB, 100 KB of it cached for 1.7 s, 18"
                                + " clients with 60 ms between requests",
                        "published: age 1 276 MB, desired survivor size 143 MB; here about 28 and 18",
                        "full collections in five minutes: at the pace of "
                                + LENGTH.toSeconds()
                                + " s, by count or by how fast old fills"));
    }

    @Override
    public Plan plan(Lab lab) {
        String command =
                lab.command(
                        "memory.Memory",
                        List.of(
                                "-XX:+UseParallelGC",
                                "-XX:-UseAdaptiveSizePolicy",
                                "-Xms" + XMX,
                                "-Xmx" + XMX,
                                "-Xmn" + XMN,
                                "-XX:SurvivorRatio=" + HEAPS.getFirst().survivorRatio()),
                        List.of("--live-mb", LIVE_MB, "--port", Plan.PORT));
        return planFor(command, TUNED_PAGE, List.of(1, 4, TUNED_CLIENTS))
                .withKnobs(List.of(Tunable.heapKnob(LARGER_HEAP)));
    }

    @Override
    public Comparison judged(Found found) {
        double before = survivorMb(List.of());
        double after = survivorMb(found.changes());
        return new Comparison(
                id(),
                "tuned unattended from the launch command, with a larger heap as a knob",
                List.of(
                        Comparison.figure(
                                "QPS, tuned / as found",
                                800 / 630.0,
                                found.gain().orElse(1.0),
                                "ratio"),
                        Comparison.here("survivor space as found", before, "MB"),
                        Comparison.here("survivor space, tuned", after, "MB"),
                        Comparison.holds("ends with larger survivor spaces", after > before)),
                List.of(
                        "published: a heap twice as large 630 to 670/s, survivors of 1 GB instead of"
                                + " 270 MB 670 to 800/s",
                        LIVE_MB
                                + " MB live all the time, and of each request's 1 MB 112 KB for 250 ms;"
                                + " Parallel, an eighth of the published sizes"));
    }

    /// Returns the size of a survivor space with these flags (`SurvivorRatio`: Eden ÷ survivor
    /// space).
    static double survivorMb(List<Change.Launch> changes) {
        double young = Bytes.parse(flag(changes, "-Xmn", XMN)).value() / (double) (1 << 20);
        double ratio =
                Double.parseDouble(
                        flag(
                                changes,
                                "-XX:SurvivorRatio",
                                Integer.toString(HEAPS.getFirst().survivorRatio())));
        return young / (ratio + 2);
    }

    private static String flag(List<Change.Launch> changes, String name, String now) {
        return changes.stream()
                .filter(c -> c instanceof Change.JvmFlag flag && flag.name().equals(name))
                .flatMap(c -> ((Change.JvmFlag) c).value().stream())
                .reduce((_, later) -> later)
                .orElse(now);
    }

    private static HeapCase given(Collector collector, Jdks.Jdk java, Heap heap) {
        HeapFlags flags =
                HeapFlags.of(collector, Bytes.parse(heap.xmx()))
                        .withYoung(Bytes.parse(heap.xmn()))
                        .withSurvivorRatio(heap.survivorRatio());
        return new HeapCase(HeapCase.label(collector, java, heap.name()), flags, LOAD, CLIENTS);
    }
}
