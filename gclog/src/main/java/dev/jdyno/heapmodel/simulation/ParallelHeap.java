package dev.jdyno.heapmodel.simulation;

import java.util.List;

/// The Parallel collector (`-XX:+UseParallelGC`) with its adaptive survivor spaces
/// (`parallelScavengeHeap.cpp`, `psScavenge.cpp`). Arrays of half an Eden or more go into old when
/// Eden is full. Once old is full, too, JDK 25 collects the whole heap. JDK 17 tries a young
/// collection first, which makes room for one more array where nothing in the heap holds those
/// before. Where objects hold them, these have come into old with the first collection, dead or not
/// keep alive the array in Eden, and the young collection fails: then JDK 17 full-collects as well.
public final class ParallelHeap implements SimulatedHeap, Filling.Policy {
    /// From this release on a large array that finds old full asks for a full collection at once.
    private static final int JDK_LARGE_ARRAY_MEANS_FULL = 23;

    private final boolean largeArrayMeansFull;
    private final GcCosts costs;
    private final Generations heap;
    private final AdaptiveSizing sizing;
    private final HeapTally tally = new HeapTally();
    private final Filling filling;
    private final WeightedAverage promoted = WeightedAverage.ofPromotion();
    private double lastPauseEnd;

    /// @param held whether objects in the heap hold the arrays, as a service's requests do
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
