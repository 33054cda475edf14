package dev.jdyno.heapmodel.forecast;

import dev.jdyno.measure.gc.HeapObservation;

/// How long Shenandoah's stops take on another heap: most of a stop has nothing to do with the
/// heap's size, but three of the four look at every region.
///
/// What a region takes was measured on JDK 25 between heaps of 800 and of 1920 regions
/// (docs/heap-forecasts.md). On another machine it is another time.
final class ShenandoahStops {
    /// Milliseconds for a region in initial mark (9 ns) and final mark (40 ns).
    private static final double MARK_MS = 49e-6;

    /// Milliseconds for a region in the final update of references, which only cycles have that
    /// copied.
    private static final double UPDATE_MS = 38e-6;

    /// Regions are the heap's so many-th part, as a power of two between these bytes
    /// (`ShenandoahHeapRegion::setup_sizes`).
    private static final int REGIONS = 2048;

    private static final double REGION_LEAST = 256 * 1024.0;
    private static final double REGION_MOST = 32 * 1024 * 1024.0;

    /// No less than this part of a stop is left on the smallest heap.
    private static final double LEAST = 0.3;

    /// Of the cycles that copy, where the log does not tell.
    private static final double COPYING = 0.5;

    private ShenandoahStops() {}

    /// @param meanMs of all stops of a cycle on the heap seen
    static double meanMs(HeapObservation seen, double meanMs, double heapBytes) {
        double copying =
                seen.shenandoahCycles().isEmpty()
                        ? COPYING
                        : new ShenandoahHistory(seen.shenandoahCycles(), seen.heapBytes())
                                .copyingShare();
        double more = regions(heapBytes) - regions(seen.heapBytes());
        return Math.max(LEAST * meanMs, meanMs + more * (MARK_MS + copying * UPDATE_MS));
    }

    /// How many regions a heap of this size has.
    static double regions(double heapBytes) {
        double region = REGION_LEAST;
        while (2 * region <= heapBytes / REGIONS && region < REGION_MOST) {
            region *= 2;
        }
        return heapBytes / region;
    }
}
