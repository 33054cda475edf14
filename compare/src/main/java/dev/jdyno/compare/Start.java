package dev.jdyno.compare;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/// The pairs of one start of both variants: a fresh JVM each. JVMs differ from start to start by
/// more than blocks of one start do, so a start is the unit of evidence (Kalibera & Jones, ISMM
/// 2013).
///
/// @param discarded blocks that were measured again because the machine or the client spoilt them
public record Start(List<Pair> pairs, int discarded) {
    public Start {
        pairs = List.copyOf(pairs);
    }

    /// The log ratios of its pairs that have one.
    double[] logRatios(Metric metric) {
        return pairs.stream()
                .flatMap(p -> p.logRatio(metric).stream())
                .mapToDouble(Double::doubleValue)
                .toArray();
    }

    /// Mean of its log ratios; empty where no pair has one.
    OptionalDouble meanLogRatio(Metric metric) {
        return Arrays.stream(logRatios(metric)).average();
    }

    /// Mean of a figure over one side; empty where no block has it.
    OptionalDouble mean(Metric metric, Arm arm) {
        return values(metric, arm).stream().mapToDouble(Double::doubleValue).average();
    }

    /// The figure of each block of one side that has it, in the order in which they were measured.
    List<Double> values(Metric metric, Arm arm) {
        return pairs.stream()
                .filter(p -> p.load() == metric.load())
                .flatMap(p -> metric.of(arm.of(p)).stream())
                .toList();
    }
}
