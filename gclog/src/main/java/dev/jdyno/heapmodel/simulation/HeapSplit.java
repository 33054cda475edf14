package dev.jdyno.heapmodel.simulation;

import dev.jdyno.measure.text.Bytes;

/// The division of a heap with fixed generations.
///
/// @param young size of Eden and both survivor spaces
/// @param survivor size of one survivor space
public record HeapSplit(Bytes young, Bytes survivor, Bytes old) {
    /// Size of a survivor space as a multiple of the live bytes. The tenuring threshold stays if
    /// the space is at most half full (dynamic age, F11).
    private static final double SURVIVOR_IN_ALIVE = 2;

    /// Minimum and maximum size of a survivor space as a share of the young generation.
    private static final double MIN_SURVIVOR = 1 / 16.0;

    private static final double MAX_SURVIVOR = 1 / 3.0;
    private static final long GRAIN = 1024 * 1024;

    /// @param alive live bytes that a young collection finds
    public static HeapSplit of(Bytes heap, double youngBytes, double alive) {
        long young = Math.max(GRAIN, ((long) (youngBytes / GRAIN)) * GRAIN);
        double survivor =
                Math.clamp(SURVIVOR_IN_ALIVE * alive, young * MIN_SURVIVOR, young * MAX_SURVIVOR);
        return new HeapSplit(
                new Bytes(young),
                new Bytes(Math.round(survivor)),
                new Bytes(Math.max(0, heap.value() - young)));
    }

    public Bytes eden() {
        return new Bytes(young.value() - 2 * survivor.value());
    }

    /// The value for `-XX:SurvivorRatio`, rounded down so that survivor spaces are not too small.
    public long survivorRatio() {
        return Math.max(1, eden().value() / Math.max(1, survivor.value()));
    }
}
