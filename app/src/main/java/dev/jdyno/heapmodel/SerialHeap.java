package dev.jdyno.heapmodel;

import java.util.List;

/// The Serial collector (`-XX:+UseSerialGC`): fixed spaces, F11's threshold after each minor
/// collection, and a full collection when old may not be able to take what is promoted
/// (`serialHeap.cpp`, `defNewGeneration.cpp`, `tenuredGeneration.cpp`).
final class SerialHeap implements SimulatedHeap {
    /// Up to this release an unsafe young collection is started, counted and broken off.
    private static final int JDK_COUNTS_REFUSED_YOUNG_UNTIL = 22;

    /// Up to the same release less free space than this in old asks for a full collection.
    private static final long OLD_FREE_MIN = 10_000;

    private final HeapFlags flags;
    private final GcCosts costs;
    private final Generations heap;
    private final HeapTally tally = new HeapTally();
    private final WeightedAverage promoted = WeightedAverage.ofPromotion();
    private int threshold;

    SerialHeap(HeapFlags flags, GcCosts costs) {
        this.flags = flags;
        this.costs = costs;
        heap = new Generations(HeapLayout.of(flags));
        threshold = flags.maxTenuringThreshold();
    }

    @Override
    public double allocate(Life life, long objectBytes, long count, double nowSeconds)
            throws HeapExhausted {
        double stopped = 0;
        long left = count;
        while (left > 0) {
            long fits = Math.min(left, heap.eden().room(objectBytes));
            if (fits > 0) {
                heap.eden().add(new Batch(life, objectBytes, fits, 0));
            } else if (objectBytes > heap.eden().capacityBytes()
                    && heap.old().room(objectBytes) > 0) {
                fits = 1;
                heap.old().add(new Batch(life, objectBytes, 1, 0));
                tally.direct(objectBytes);
            } else {
                stopped += collectFor(objectBytes);
                fits = 1;
                if (heap.eden().room(objectBytes) > 0) {
                    heap.eden().add(new Batch(life, objectBytes, 1, 0));
                } else if (heap.old().room(objectBytes) > 0) {
                    heap.old().add(new Batch(life, objectBytes, 1, 0));
                    tally.direct(objectBytes);
                } else {
                    throw new HeapExhausted(objectBytes);
                }
            }
            left -= fits;
        }
        return stopped;
    }

    /// Collects for one object of this size: the young generation alone if that can help and is
    /// safe.
    private double collectFor(long objectBytes) throws HeapExhausted {
        double stopped = 0;
        boolean youngIsEnough = false;
        if (objectBytes <= heap.eden().capacityBytes()) {
            if (promotionIsSafe()) {
                var minor = heap.minor(threshold);
                stopped += finish(minor);
                if (minor.failed()) {
                    stopped += full(minor.strays());
                    youngIsEnough = true;
                } else {
                    youngIsEnough = !countsRefusals() || heap.old().freeBytes() >= OLD_FREE_MIN;
                }
            } else if (countsRefusals()) {
                tally.youngRefused();
            }
        }
        if (!youngIsEnough) {
            stopped += full(List.of());
        }
        return stopped;
    }

    private boolean countsRefusals() {
        return flags.jdk() <= JDK_COUNTS_REFUSED_YOUNG_UNTIL;
    }

    private boolean promotionIsSafe() {
        long free = heap.old().freeBytes();
        return free >= promoted.padded() || free >= heap.youngUsedBytes();
    }

    private double finish(Generations.Minor minor) {
        promoted.sample((double) minor.promotedBytes());
        long desired = heap.to().capacityBytes() * flags.targetSurvivorRatio() / 100;
        threshold = minor.ages().threshold(desired, flags.maxTenuringThreshold());
        double pause = costs.minorPause(minor);
        tally.young(pause, minor.promotedBytes(), minor.survivedBytes());
        return pause;
    }

    private double full(List<Batch> strays) throws HeapExhausted {
        double pause = costs.fullPause(heap.full(strays));
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
