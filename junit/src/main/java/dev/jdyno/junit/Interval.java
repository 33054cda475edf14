package dev.jdyno.junit;

/// A 95 % interval.
///
/// @param lo its lower end
/// @param hi its upper end
public record Interval(double lo, double hi) {}
