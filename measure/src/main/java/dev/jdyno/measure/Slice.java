package dev.jdyno.measure;

import java.util.Optional;

/// One second of a round: the grain of every interval we print (block bootstrap over slices).
///
/// @param qps good requests completed per second in this slice
/// @param rtMeanMs their mean response time
/// @param processCores CPU the target used, in cores; empty when it was not seen
public record Slice(double qps, double rtMeanMs, Optional<Double> processCores) {}
