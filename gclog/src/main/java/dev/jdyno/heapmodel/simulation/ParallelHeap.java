package dev.jdyno.heapmodel.simulation;

import java.util.List;

/// The Parallel collector (`-XX:+UseParallelGC`) with its adaptive survivor spaces
/// (`parallelScavengeHeap.cpp`, `psScavenge.cpp`). Arrays of half an Eden or more are allocated in
/// the old generation if Eden is full.
///
/// If the old generation is full, too, JDK 25 collects the whole heap. JDK 17 first tries a young
/// collection, which frees memory for another array if no object in the heap references the earlier
/// ones. If objects reference them, the first collection has promoted these objects. Dead or not,
/// they keep the array in Eden alive. Then the young collection fails, and JDK 17 makes a full
/// collection as well.
public final class ParallelHeap implements SimulatedHeap, Filling.Policy {
    /// First release in which a large array that finds old full requests a full collection at once.
    private static final int JDK_LARGE_ARRAY_MEANS_FULL = 23;

    private final boolean largeArrayMeansFull;
    private final GcCosts costs;
    private final Generations heap;
    private final AdaptiveSizing sizing;
    private final HeapTally tally = new HeapTally();
    private final Filling filling;
    private final WeightedAverage promoted = WeightedAverage.ofPromotion();
    private double lastPauseEnd;

    /// @param held true if objects in the heap reference the arrays, as requests of a service do
    public ParallelHeap(HeapFlags flags, GcCosts costs, boolean held) {
        this.costs = costs;
        largeArrayMeansFull = held || flags.jdk() >= JDK_LARGE_ARRAY_MEANS_FULL;
        HeapLayout layout = HeapLayout.of(flags);
        heap = new Generations(layout);
        sizing = new AdaptiveSizing(layout, flags);
        filling = new Filling(heap, tally, this);
    }

    @Override
    public double allocate(Life life, long objectBytes, long count, double nowSeconds)
            throws HeapExhausted {
        return filling.allocate(life, objectBytes, count, nowSeconds);
    }

    @Override
    public boolean isLarge(long objectBytes) {
        return objectBytes >= heap.eden().capacityBytes() / 2;
    }

    @Override
    public double collectFor(long objectBytes, double now) throws HeapExhausted {
        if (largeArrayMeansFull && isLarge(objectBytes)) {
            return full(List.of(), now);
        }
        if (!scavengeIsPromising()) {
            return full(List.of(), now);
        }
        var minor = heap.minor(sizing.threshold());
        double stopped = finish(minor, now);
        if (minor.failed()) {
            return stopped + full(minor.strays(), now + stopped);
        }
        if (heap.eden().room(objectBytes) == 0) {
            stopped += full(List.of(), now + stopped);
        }
        return stopped;
    }

    private boolean scavengeIsPromising() {
        double promotion = Math.min(promoted.padded(), (double) heap.youngUsedBytes());
        return promotion < heap.old().freeBytes();
    }

    private double finish(Generations.Minor minor, double now) {
        double pause = costs.minorPause(minor);
        if (!minor.failed()) {
            promoted.sample((double) minor.promotedBytes());
            sizing.afterMinor(minor, heap, pause, Math.max(0, now - lastPauseEnd));
        }
        lastPauseEnd = now + pause;
        tally.young(pause, minor.promotedBytes(), minor.survivedBytes());
        return pause;
    }

    private double full(List<Batch> strays, double now) throws HeapExhausted {
        double pause = costs.fullPause(heap.full(strays));
        sizing.afterFull(heap, pause, Math.max(0, now - lastPauseEnd));
        lastPauseEnd = now + pause;
        tally.full(pause);
        return pause;
    }

    @Override
    public HeapTally tally() {
        return tally;
    }

    @Override
    public long oldFreeBytes() {
        return heap.old().freeBytes();
    }

    @Override
    public long oldLiveBytes() {
        return heap.old().liveBytes();
    }
}
