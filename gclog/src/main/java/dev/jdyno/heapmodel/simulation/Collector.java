package dev.jdyno.heapmodel.simulation;

/// The collectors the simulator knows.
public enum Collector {
    SERIAL,
    PARALLEL,
    /// First order only: regions, humongous objects, the 45 % start of marking; no pause
    /// prediction.
    G1
}
