package dev.jdyno.junit;

/// Of 95 %.
///
/// @param lo its lower end
/// @param hi its upper end
public record Interval(double lo, double hi) {}
