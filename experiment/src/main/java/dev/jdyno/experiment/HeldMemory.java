package dev.jdyno.experiment;

import dev.jdyno.experiment.Comparison.Row;
import dev.jdyno.experiment.lab.Jdks;
import dev.jdyno.heapmodel.simulation.Arrivals;
import dev.jdyno.heapmodel.simulation.Collector;
import dev.jdyno.heapmodel.simulation.HeapFlags;
import dev.jdyno.heapmodel.simulation.HeapWorkload;
import dev.jdyno.measure.text.Bytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// E5: which 256 MB heaps have full collections, by bytes held for 10 ms and by concurrency.
final class HeldMemory implements Experiment {
    private static final Duration LENGTH = Duration.ofSeconds(6);

    /// @param frequent whether full collections were frequent, as published for a Serial collector
    ///   of 2010
    private record Held(String bytes, int concurrency, int survivorRatio, boolean frequent) {}

    private static final List<Held> CASES =
            List.of(
                    new Held("15m", 1, 8, false),
                    new Held("15m", 2, 8, true),
                    new Held("1m", 2, 8, false),
                    new Held("2m", 2, 8, true),
                    new Held("2m", 2, 6, false));

    @Override
    public String id() {
        return "E5";
    }

    @Override
    public String title() {
        return "which heap full-collects: bytes held × concurrency";
    }

    @Override
    public Comparison run(Bench bench) throws InterruptedException {
        List<Row> rows = new ArrayList<>();
        for (Jdks.Jdk java : Jdks.all()) {
            for (Collector collector : List.of(Collector.SERIAL, Collector.PARALLEL)) {
                for (Held c : CASES) {
                    HeapCase.Outcome o = given(collector, java, c).run(bench, java, LENGTH);
                    rows.add(o.countRow());
                    rows.add(
                            o.frequentRow(
                                    collector == Collector.SERIAL
                                            ? Optional.of(c.frequent())
                                            : Optional.empty()));
                }
            }
        }
        return new Comparison(
                id(),
                title(),
                rows,
                List.of(
                        "-Xms256m -Xmx256m -XX:NewRatio=12 gives the published Eden of 15.8 MB and"
                                + " old of 236 MB on Serial; SurvivorRatio 8 and 6 its survivors",
                        "published is one Serial collector; Parallel was not run then and puts"
                                + " arrays of half an Eden into old",
                        "frequent: at the pace seen, old is full more often than once in 60 s"));
    }

    private static HeapCase given(Collector collector, Jdks.Jdk java, Held c) {
        HeapFlags flags =
                HeapFlags.of(collector, Bytes.parse("256m"))
                        .withNewRatio(12)
                        .withSurvivorRatio(c.survivorRatio());
        String what = c.bytes() + " × " + c.concurrency() + ", SurvivorRatio " + c.survivorRatio();
        return new HeapCase(
                HeapCase.label(collector, java, what),
                flags,
                HeapWorkload.holding(
                        Bytes.parse(c.bytes()),
                        Duration.ofMillis(10),
                        new Arrivals.Closed(c.concurrency()),
                        1),
                c.concurrency());
    }
}
