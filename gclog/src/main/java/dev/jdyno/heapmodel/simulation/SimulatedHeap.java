package dev.jdyno.heapmodel.simulation;

/// A heap that requests allocate from and that collects itself when it must.
public interface SimulatedHeap {
    /// Allocates `count` objects of `objectBytes`.
    ///
    /// @param nowSeconds time on the simulation's clock
    /// @return seconds for which the application stood still for it
    /// @throws HeapExhausted when a full collection leaves no room: the JVM's `OutOfMemoryError`
    double allocate(Life life, long objectBytes, long count, double nowSeconds)
            throws HeapExhausted;

    HeapTally tally();

    /// What of the old generation can still be filled before a full collection at the latest.
    long oldFreeBytes();

    /// Bytes that are alive in the old generation.
    long oldLiveBytes();
}
