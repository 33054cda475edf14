package dev.jdyno.load.pacing;

/// The distribution of the arrivals of an open model over time.
public enum Arrivals {
    /// Evenly spaced arrivals: one every 1/rate.
    CONSTANT,
    /// A Poisson process: independent exponential gaps with mean 1/rate, as from many independent
    /// users.
    POISSON
}
