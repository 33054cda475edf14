package dev.jdyno.heapmodel.simulation;

/// A heap in which requests allocate, and which collects itself when necessary.
public interface SimulatedHeap {
    /// Allocates `count` objects of `objectBytes`.
    ///
    /// @param nowSeconds time on the simulation's clock
    /// @return time in seconds for which this stopped the application
    /// @throws HeapExhausted if a full collection does not free enough: the JVM's
    ///   `OutOfMemoryError`
    double allocate(Life life, long objectBytes, long count, double nowSeconds)
            throws HeapExhausted;

    HeapTally tally();

    /// Bytes of the old generation that can be filled before a full collection is unavoidable.
    long oldFreeBytes();

    /// Live bytes in the old generation.
    long oldLiveBytes();
}
