package dev.jdyno.heapmodel.simulation;

import java.util.List;

/// The Serial collector (`-XX:+UseSerialGC`): fixed spaces, and a new tenuring threshold after each
/// minor collection (dynamic age, F11). It collects the whole heap if the promoted objects may not
/// fit into old (`serialHeap.cpp`, `defNewGeneration.cpp`, `tenuredGeneration.cpp`).
public final class SerialHeap implements SimulatedHeap, Filling.Policy {
    /// Last release in which an unsafe young collection is started, counted and broken off.
    private static final int JDK_COUNTS_REFUSED_YOUNG_UNTIL = 22;

    /// Minimum free bytes in the old generation. With less, releases up to the one above request a
    /// full collection.
    private static final long OLD_FREE_MIN = 10_000;

    private final HeapFlags flags;
    private final GcCosts costs;
    private final Generations heap;
    private final HeapTally tally = new HeapTally();
    private final Filling filling;
    private final WeightedAverage promoted = WeightedAverage.ofPromotion();
    private int threshold;

    public SerialHeap(HeapFlags flags, GcCosts costs) {
        this.flags = flags;
        this.costs = costs;
        heap = new Generations(HeapLayout.of(flags));
        filling = new Filling(heap, tally, this);
        threshold = flags.maxTenuringThreshold();
    }

    @Override
    public double allocate(Life life, long objectBytes, long count, double nowSeconds)
            throws HeapExhausted {
        return filling.allocate(life, objectBytes, count, nowSeconds);
    }

    @Override
    public boolean isLarge(long objectBytes) {
        return objectBytes > heap.eden().capacityBytes();
    }

    /// Collects only the young generation if that is safe and sufficient, otherwise all.
    @Override
    public double collectFor(long objectBytes, double nowSeconds) throws HeapExhausted {
        double stopped = 0;
        boolean youngIsEnough = false;
        if (!isLarge(objectBytes)) {
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
