package dev.jdyno.guard;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Variation between the starts of a real service. `bench/guard/days.py` recorded the starts in
/// pairs, minutes apart, on two cores with a neighbour on every second day. The figure of a start
/// is the mean of two blocks.
final class RecordedStarts {
    private static final String RECORDED = "/guard/starts.tsv";

    private RecordedStarts() {}

    /// Log ratios of a start's CPU per request to the level of its day. The ratio of two starts
    /// drawn from them varies as in the recorded pairs.
    static double[] deviations() {
        List<String> lines = lines();
        List<String> head = List.of(lines.getFirst().split("\t"));
        int cpu = head.indexOf("cpuMsPerRequest");
        int measurement = head.indexOf("measurement");
        List<Double> all = new ArrayList<>();
        for (int i = 2; i < lines.size(); i += 2) {
            List<String> first = List.of(lines.get(i - 1).split("\t"));
            List<String> second = List.of(lines.get(i).split("\t"));
            if (!first.getFirst().equals(second.getFirst())
                    || !first.get(measurement).equals(second.get(measurement))) {
                throw new IllegalStateException("no pair: " + first + second);
            }
            double ratio = Double.parseDouble(first.get(cpu)) / Double.parseDouble(second.get(cpu));
            all.add(Math.log(ratio) / Math.sqrt(2));
        }
        return all.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static List<String> lines() {
        try (InputStream file =
                Objects.requireNonNull(RecordedStarts.class.getResourceAsStream(RECORDED))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
