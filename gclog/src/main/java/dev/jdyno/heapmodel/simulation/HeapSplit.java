package dev.jdyno.heapmodel.simulation;

import dev.jdyno.measure.text.Bytes;

/// How a heap of fixed generations is divided.
///
/// @param young Eden and both survivor spaces
/// @param survivor one of the two
public record HeapSplit(Bytes young, Bytes survivor, Bytes old) {
    /// F11: a survivor space keeps its threshold while it is filled to at most half.
    private static final double SURVIVOR_IN_ALIVE = 2;

    /// The least and the most a survivor space is of the young generation.
    private static final double SURVIVOR_LEAST = 1 / 16.0;

    private static final double SURVIVOR_MOST = 1 / 3.0;
    private static final long GRAIN = 1024 * 1024;

    /// @param alive what a young collection finds alive
    public static HeapSplit of(Bytes heap, double youngBytes, double alive) {
        long young = Math.max(GRAIN, ((long) (youngBytes / GRAIN)) * GRAIN);
        double survivor =
                Math.clamp(
                        SURVIVOR_IN_ALIVE * alive, young * SURVIVOR_LEAST, young * SURVIVOR_MOST);
        return new HeapSplit(
                new Bytes(young),
                new Bytes(Math.round(survivor)),
                new Bytes(Math.max(0, heap.value() - young)));
    }

    public Bytes eden() {
        return new Bytes(young.value() - 2 * survivor.value());
    }

    /// `-XX:SurvivorRatio`, rounded down so that survivors are not smaller.
    public long survivorRatio() {
        return Math.max(1, eden().value() / Math.max(1, survivor.value()));
    }
}
