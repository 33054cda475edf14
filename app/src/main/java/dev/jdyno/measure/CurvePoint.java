package dev.jdyno.measure;

/// One point of a model's curve: what a load of `concurrency` requests in flight would give.
public record CurvePoint(double concurrency, double qps, double rtMs) {}
