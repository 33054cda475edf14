package dev.jdyno.compare;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/// The pairs of one start of both variants, each in a fresh JVM. JVMs differ from start to start by
/// more than blocks of one start do, so a start is the unit of evidence (Kalibera & Jones, ISMM
/// 2013).
///
/// @param discarded number of blocks that were measured again because the machine or client spoilt
///   them
public record Start(List<Pair> pairs, int discarded) {
    public Start {
        pairs = List.copyOf(pairs);
    }

    /// Returns the log ratios of the pairs that have one.
    double[] logRatios(Metric metric) {
        return pairs.stream()
                .flatMap(p -> p.logRatio(metric).stream())
                .mapToDouble(Double::doubleValue)
                .toArray();
    }

    /// Mean of the log ratios; empty if no pair has one.
    OptionalDouble meanLogRatio(Metric metric) {
        return Arrays.stream(logRatios(metric)).average();
    }

    /// Mean of a figure over the blocks of one variant; empty if no block has it.
    OptionalDouble mean(Metric metric, Arm arm) {
        return values(metric, arm).stream().mapToDouble(Double::doubleValue).average();
    }

    /// Returns a figure's values in the blocks of one variant, in the order of measurement.
    List<Double> values(Metric metric, Arm arm) {
        return pairs.stream()
                .filter(p -> p.load() == metric.load())
                .flatMap(p -> metric.of(arm.of(p)).stream())
                .toList();
    }
}
