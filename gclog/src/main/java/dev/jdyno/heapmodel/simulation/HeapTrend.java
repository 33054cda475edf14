package dev.jdyno.heapmodel.simulation;

import java.util.OptionalDouble;

/// How things go on: read off the second half of a simulated run, when the live set is there.
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

    /// Half of the requests are done.
    void half(double now) {
        halfTime = now;
        halfInflow = inflow();
        halfFullGcs = heap.tally().fullGcs();
    }

    private long inflow() {
        return heap.tally().promotedBytes() + heap.tally().directBytes();
    }

    /// Time from one full collection to the next at the pace since then; empty when nothing flows
    /// into old.
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
        double room = Math.max(1, layout.oldBytes() - heap.oldLiveBytes());
        return OptionalDouble.of(room / bytes * seconds);
    }

    /// Share of the allocated bytes that went on to fill old since then.
    ///
    /// @param done requests so far
    double steadyInflow(int done) {
        double requests = done - done / 2;
        double allocated = requests * load.objectsPerRequest() * load.objectHeapBytes();
        return allocated > 0 ? (inflow() - halfInflow) / allocated : 0;
    }
}
