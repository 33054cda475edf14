package dev.jdyno.heapmodel.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.heapmodel.Allocating;
import dev.jdyno.measure.text.Bytes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Compares the model with the JVM that runs this test: minor collections within 10 %, and whether
/// full collections are frequent. A larger table, also of JDK 17: docs/heap-model.md.
@Tag("full") // runs JVMs to compare what they did with the simulation
class RealJvmIT {
    private static final double TOLERANCE = 0.10;

    /// One or two extra collections come from class loading at the start.
    private static final double SLACK = 2;

    @ParameterizedTest(name = "{0} -Xmx{1} -Xmn{2}: {3} at a time, {4} × {5} in {6} for {7} ms")
    @CsvSource({
        "SERIAL,   96m,  20m,  2, 1200, 2m,   2m,  2, true",
        "SERIAL,   200m, 66m,  8, 1500, 1m,   1k,  5, true",
        "PARALLEL, 200m, 66m,  8, 1500, 1m,   1k,  5, false",
        "PARALLEL, 128m, 40m, 50, 4000, 512k, 64k, 20, true",
    })
    void minorCountWithinTenPercentAndFrequencyRight(
            Collector collector,
            String xmx,
            String xmn,
            int concurrency,
            int requests,
            String bytes,
            String objectBytes,
            int holdMs,
            boolean frequent)
            throws IOException, InterruptedException {
        HeapFlags flags = HeapFlags.of(collector, Bytes.parse(xmx)).withYoung(Bytes.parse(xmn));
        HeapWorkload load =
                HeapWorkload.holding(
                                Bytes.parse(bytes),
                                Duration.ofMillis(holdMs),
                                new Arrivals.Closed(concurrency),
                                requests)
                        .inObjectsOf(Bytes.parse(objectBytes))
                        .withSmall(new Bytes(0));

        HeapPrediction predicted = HeapSimulator.run(flags, load);
        Map<String, Integer> measured = medianOfThree(flags, load, concurrency, holdMs);

        int young = young(measured);
        int full =
                measured.getOrDefault("MarkSweepCompact", 0)
                        + measured.getOrDefault("PS MarkSweep", 0);
        assertThat(Math.abs(predicted.youngGcs() - young))
                .as("minor collections: predicted %d, measured %d", predicted.youngGcs(), young)
                .isLessThanOrEqualTo((int) Math.ceil(young * TOLERANCE + SLACK));
        assertThat(predicted.fullGcsFrequent()).isEqualTo(frequent);
        if (predicted.fullGcs() >= 3) {
            assertThat(full).isPositive();
        }
        if (!frequent) {
            assertThat(full).isZero();
        }
    }

    /// The run with the median number of young collections. If the machine stops the JVM at a bad
    /// moment, about one run in twelve has a sixth fewer.
    private static Map<String, Integer> medianOfThree(
            HeapFlags flags, HeapWorkload load, int concurrency, int holdMs)
            throws IOException, InterruptedException {
        List<Map<String, Integer>> runs = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            runs.add(measure(flags, load, concurrency, holdMs));
        }
        runs.sort(Comparator.comparingInt(RealJvmIT::young));
        return runs.get(1);
    }

    private static int young(Map<String, Integer> measured) {
        return measured.getOrDefault("Copy", 0) + measured.getOrDefault("PS Scavenge", 0);
    }

    private static Map<String, Integer> measure(
            HeapFlags flags, HeapWorkload load, int concurrency, int holdMs)
            throws IOException, InterruptedException {
        String name = flags.collector() == Collector.SERIAL ? "Serial" : "Parallel";
        var process =
                new ProcessBuilder(
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "-XX:+Use" + name + "GC",
                                        "-Xms" + flags.xmx().value(),
                                        "-Xmx" + flags.xmx().value(),
                                        "-Xmn" + flags.xmn().orElseThrow().value(),
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        Allocating.class.getName(),
                                        Integer.toString(concurrency),
                                        Integer.toString(load.requests()),
                                        Long.toString(load.requestBytes().value()),
                                        Long.toString(load.objectBytes().orElseThrow().value()),
                                        Integer.toString(holdMs)))
                        .redirectErrorStream(true)
                        .start();
        var counts = new HashMap<String, Integer>();
        try (var lines = process.inputReader()) {
            lines.lines()
                    .map(l -> l.split("="))
                    .filter(l -> l.length == 2)
                    .forEach(l -> counts.put(l[0], Integer.valueOf(l[1])));
        }
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).isZero();
        return counts;
    }
}
