package dev.jdyno.heapmodel.forecast;

import dev.jdyno.measure.gc.HeapObservation;

/// Length of Shenandoah's stops on another heap. Most of a stop does not depend on the heap's size,
/// but three of the four stops process every region.
///
/// The time per region was measured on JDK 25 between heaps of 800 and of 1920 regions
/// (docs/heap-forecasts.md). It differs on other machines.
final class ShenandoahStops {
    /// Milliseconds per region in initial mark (9 ns) and final mark (40 ns).
    private static final double MARK_MS = 49e-6;

    /// Milliseconds per region in the final update of references, which only cycles with copying
    /// have.
    private static final double UPDATE_MS = 38e-6;

    /// Target number of regions. The size of a region is a power of two between the two limits
    /// below (`ShenandoahHeapRegion::setup_sizes`).
    private static final int REGIONS = 2048;

    private static final double MIN_REGION = 256 * 1024.0;
    private static final double MAX_REGION = 32 * 1024 * 1024.0;

    /// Minimum length of a stop on a smaller heap, as a share of the run's.
    private static final double MIN = 0.3;

    /// Share of cycles that copy, if the log does not show it.
    private static final double COPYING = 0.5;

    private ShenandoahStops() {}

    /// @param meanMs mean time of all stops of a cycle in the run
    static double meanMs(HeapObservation seen, double meanMs, double heapBytes) {
        double copying =
                seen.shenandoahCycles().isEmpty()
                        ? COPYING
                        : new ShenandoahHistory(seen.shenandoahCycles(), seen.heapBytes())
                                .copyingShare();
        double more = regions(heapBytes) - regions(seen.heapBytes());
        return Math.max(MIN * meanMs, meanMs + more * (MARK_MS + copying * UPDATE_MS));
    }

    /// Number of regions of a heap of this size.
    static double regions(double heapBytes) {
        double region = MIN_REGION;
        while (2 * region <= heapBytes / REGIONS && region < MAX_REGION) {
            region *= 2;
        }
        return heapBytes / region;
    }
}
