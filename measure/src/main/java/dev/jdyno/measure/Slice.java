package dev.jdyno.measure;

import java.util.Optional;

/// One second of a round. The bootstrap draws slices to compute each confidence interval that jdyno
/// prints.
///
/// @param qps good requests completed per second in this slice
/// @param rtMeanMs mean response time of the slice's requests
/// @param processCores CPU that the target used, in cores; empty when it was not measured
/// @param takenCores cores that other processes and the hypervisor took from the target; empty when
///   they were not measured, and in results of earlier versions
public record Slice(
        double qps, double rtMeanMs, Optional<Double> processCores, Optional<Double> takenCores) {
    /// A second in which other processes were not read.
    public Slice(double qps, double rtMeanMs, Optional<Double> processCores) {
        this(qps, rtMeanMs, processCores, Optional.empty());
    }
}
