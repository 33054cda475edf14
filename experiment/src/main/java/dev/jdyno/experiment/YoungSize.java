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

/// E19: throughput rises steeply with the young generation until it has about 100 requests' memory,
/// then stays flat. Measured at six of its nineteen sizes.
final class YoungSize implements Experiment {
    private static final Duration LENGTH = Duration.ofSeconds(8);
    private static final int CLIENTS = 16;
    private static final List<Integer> SIZES_MB = List.of(78, 128, 228, 378, 528, 978);

    /// Size of the list that holds a request's 20 480 arrays. It grows by half each time: 12 bytes
    /// per array.
    private static final Bytes LIST = Bytes.parse("245k");

    private static final int AT_A_HUNDRED = 4;

    @Override
    public String id() {
        return "E19";
    }

    @Override
    public String title() {
        return "request memory × young size";
    }

    @Override
    public Comparison run(Bench bench) throws InterruptedException {
        List<Row> rows = new ArrayList<>();
        List<Double> qps = new ArrayList<>();
        List<Double> perRequest = new ArrayList<>();
        Jdks.Jdk java = Jdks.all().getLast();
        for (int size : SIZES_MB) {
            var given =
                    new HeapCase(
                            HeapCase.label(Collector.PARALLEL, java, "-Xmn" + size + "m"),
                            HeapFlags.of(Collector.PARALLEL, Bytes.mebi(size + 500))
                                    .withYoung(Bytes.mebi(size)),
                            HeapWorkload.holding(
                                            Bytes.parse("5m"),
                                            Duration.ofMillis(40),
                                            new Arrivals.Closed(CLIENTS),
                                            1)
                                    .inObjectsOf(Bytes.parse("256"))
                                    .withSmall(LIST),
                            CLIENTS);
            HeapCase.Outcome o = given.run(bench, java, LENGTH);
            rows.add(o.countRow());
            rows.add(
                    new Row(
                            "QPS, " + given.name(),
                            Optional.empty(),
                            Optional.empty(),
                            o.round().qps(),
                            "1/s",
                            Optional.empty()));
            qps.add(o.round().qps());
            perRequest.add((double) o.gc().young().count() / o.round().requests());
        }
        double max = qps.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
        rows.add(
                Comparison.shape(
                        "QPS at 100 × request memory / the best",
                        1,
                        qps.get(AT_A_HUNDRED) / max,
                        0.1));
        rows.add(
                Comparison.figure(
                        "minor GCs a request, smallest / largest young",
                        13_590 / 812.0,
                        perRequest.getFirst() / perRequest.getLast(),
                        "ratio"));
        return new Comparison(
                id(),
                title(),
                rows,
                List.of(
                        "5 MB a request in arrays of 256 bytes, held 40 ms, 16 at a time; old 500"
                                + " MB; client and service share this machine"));
    }
}
