package dev.jdyno.experiment;

import dev.jdyno.experiment.Comparison.Row;
import dev.jdyno.heapmodel.simulation.Arrivals;
import dev.jdyno.heapmodel.simulation.Collector;
import dev.jdyno.heapmodel.simulation.HeapFlags;
import dev.jdyno.heapmodel.simulation.HeapWorkload;
import dev.jdyno.measure.text.Bytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// E21 at an eighth of its sizes: what is cached for 1.7 s survives its first collection in a
/// survivor space that keeps only half of it, and is promoted at its second. A larger old
/// generation makes full collections rarer, larger survivor spaces end them.
final class SurvivorSize implements Experiment {
    private static final Duration LENGTH = Duration.ofSeconds(12);
    private static final double PUBLISHED_SECONDS = 300;

    /// As many as give 300 requests a second: one every 60 ms each.
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

    /// @param fullGcs in five minutes, as published
    private record Heap(String name, String xmx, String xmn, int survivorRatio, double fullGcs) {}

    private static final List<Heap> HEAPS =
            List.of(
                    new Heap("4 GB / 8", "512m", "357m", 8, 43),
                    new Heap("8 GB / 8", "1g", "357m", 8, 6),
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

    private static HeapCase given(Collector collector, Jdks.Jdk java, Heap heap) {
        HeapFlags flags =
                HeapFlags.of(collector, Bytes.parse(heap.xmx()))
                        .withYoung(Bytes.parse(heap.xmn()))
                        .withSurvivorRatio(heap.survivorRatio());
        return new HeapCase(HeapCase.label(collector, java, heap.name()), flags, LOAD, CLIENTS);
    }
}
