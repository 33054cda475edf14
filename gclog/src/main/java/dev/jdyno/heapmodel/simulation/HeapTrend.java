package dev.jdyno.heapmodel.simulation;

import java.util.OptionalDouble;

/// The pace at which a simulated run fills its old generation. It is measured in the second half of
/// the run, after the live set has been built.
final class HeapTrend {
    private final HeapFlags flags;
    private final HeapWorkload load;
    private final SimulatedHeap heap;
    private double halfTime;
    private long halfInflow;
    private int halfFullGcs;

    HeapTrend(HeapFlags flags, HeapWorkload load, SimulatedHeap heap) {
        this.flags = flags;
        this.load = load;
        this.heap = heap;
    }

    /// Called when half of the requests are done.
    void half(double now) {
        halfTime = now;
        halfInflow = inflow();
        halfFullGcs = heap.tally().fullGcs();
    }

    private long inflow() {
        return heap.tally().promotedBytes() + heap.tally().directBytes();
    }

    /// Time between full collections at the pace of the second half. Empty if nothing flows into
    /// old, and for G1 with fewer than two full collections in that half.
    OptionalDouble fullGcInterval(HeapLayout layout, double now) {
        double seconds = now - halfTime;
        int fullGcs = heap.tally().fullGcs() - halfFullGcs;
        if (fullGcs >= 2) {
            return OptionalDouble.of(seconds / fullGcs);
        }
        long bytes = inflow() - halfInflow;
        boolean g1TakesItBack = flags.collector() == Collector.G1;
        if (bytes <= 0 || seconds <= 0 || g1TakesItBack) {
            return OptionalDouble.empty();
        }
        double freeOld = Math.max(1, layout.oldBytes() - heap.oldLiveBytes());
        return OptionalDouble.of(freeOld / bytes * seconds);
    }

    /// Share of the bytes allocated in the second half that filled old.
    ///
    /// @param done number of requests so far
    double steadyInflow(int done) {
        double requests = done - done / 2;
        double allocated = requests * load.objectsPerRequest() * load.objectHeapBytes();
        return allocated > 0 ? (inflow() - halfInflow) / allocated : 0;
    }
}
