package dev.jdyno.heapmodel.simulation;

/// The collectors that the simulator supports.
public enum Collector {
    SERIAL,
    PARALLEL,
    /// First-order model only: regions, humongous objects, and marking from 45 % of the heap on; no
    /// pause prediction.
    G1
}
