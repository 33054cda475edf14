package dev.jdyno.load.pacing;

/// How the arrivals of an open model lie in time.
public enum Arrivals {
    /// Evenly spaced: one every 1/rate.
    CONSTANT,
    /// A Poisson process: independent exponential gaps with mean 1/rate, as many independent users
    /// make together.
    POISSON
}
