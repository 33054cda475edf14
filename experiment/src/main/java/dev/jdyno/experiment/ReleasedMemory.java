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

/// E20: 1 MB held for 10 ms is promoted as concurrency grows; 1.2 MB released before the wait never
/// is.
final class ReleasedMemory implements Experiment {
    private static final Duration LENGTH = Duration.ofSeconds(6);

    private record Shape(String bytes, boolean release, int concurrency, boolean promotes) {
        HeapWorkload load() {
            HeapWorkload held =
                    HeapWorkload.holding(
                            Bytes.parse(bytes),
                            Duration.ofMillis(10),
                            new Arrivals.Closed(concurrency),
                            1);
            return release ? held.releasing() : held;
        }
    }

    private static final List<Shape> CASES =
            List.of(
                    new Shape("1m", false, 1, false),
                    new Shape("1m", false, 2, false),
                    new Shape("1m", false, 3, true),
                    new Shape("1228k", true, 1, false),
                    new Shape("1228k", true, 3, false),
                    new Shape("1228k", true, 20, false));

    @Override
    public String id() {
        return "E20";
    }

    @Override
    public String title() {
        return "held and released before the wait";
    }

    @Override
    public Comparison run(Bench bench) throws InterruptedException {
        List<Row> rows = new ArrayList<>();
        for (Jdks.Jdk java : Jdks.all()) {
            for (Shape c : CASES) {
                HeapFlags flags =
                        HeapFlags.of(Collector.SERIAL, Bytes.parse("256m"))
                                .withYoung(Bytes.parse("15m"))
                                .withSurvivorRatio(6);
                String what =
                        c.bytes() + (c.release() ? " released × " : " held × ") + c.concurrency();
                var given =
                        new HeapCase(
                                HeapCase.label(Collector.SERIAL, java, what),
                                flags,
                                c.load(),
                                c.concurrency());
                HeapCase.Outcome o = given.run(bench, java, LENGTH);
                rows.add(o.countRow());
                rows.add(o.frequentRow(Optional.of(c.promotes())));
            }
        }
        return new Comparison(
                id(),
                title(),
                rows,
                List.of(
                        "-Xmx256m -Xmn15m -XX:SurvivorRatio=6",
                        "published: promotion sets in as N grows when held, none when released;"
                                + " promotion at such a pace fills old within a minute"));
    }
}
