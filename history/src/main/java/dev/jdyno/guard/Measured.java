package dev.jdyno.guard;

import dev.jdyno.compare.Loads;
import dev.jdyno.compare.Metric;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.verdict.Bottleneck;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One measurement of the service.
///
/// @param starts the figures of each start, as means over its blocks
/// @param machineNs CPU time of a step of the reference loop, which is the same every day
/// @param discarded number of blocks that the machine or the client spoilt
/// @param disturbedBlocks number of blocks whose throughput and response times do not count,
///   because other processes used too much of the machine
/// @param recording recording of the load under which the service was diagnosed
/// @param valid whether the figures can be trusted
record Measured(
        List<Map<Metric, Double>> starts,
        double machineNs,
        Loads loads,
        int discarded,
        int disturbedBlocks,
        Bottleneck bottleneck,
        Recording recording,
        boolean valid) {
    Measured {
        starts = starts.stream().<Map<Metric, Double>>map(Measured::copy).toList();
    }

    private static Map<Metric, Double> copy(Map<Metric, Double> values) {
        Map<Metric, Double> copy = new EnumMap<>(Metric.class);
        copy.putAll(values);
        return copy;
    }

    /// Share of failed requests, 0 to 1; starts without failed requests lack this figure.
    double errorShare() {
        return value(Metric.ERRORS).orElse(0.0);
    }

    /// Mean over the starts that have the figure.
    Optional<Double> value(Metric metric) {
        var mean =
                starts.stream()
                        .filter(s -> s.containsKey(metric))
                        .mapToDouble(s -> s.get(metric))
                        .average();
        return mean.isPresent() ? Optional.of(mean.getAsDouble()) : Optional.empty();
    }
}
