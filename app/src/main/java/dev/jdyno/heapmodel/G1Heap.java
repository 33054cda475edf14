package dev.jdyno.heapmodel;

import java.util.ArrayList;
import java.util.List;

/// G1 to first order: a young generation that grows to its largest share after the first
/// collections, objects of half a region or more straight into regions of their own, marking that
/// starts when old is 45 % of the heap, and garbage in old taken back over eight mixed collections.
/// It has no pause prediction, so it holds where the pause goal does not bind.
final class G1Heap implements SimulatedHeap {
    /// `InitiatingHeapOccupancyPercent`.
    private static final double MARKING_STARTS_AT = 0.45;

    /// `G1ReservePercent`: kept free for copying.
    private static final double RESERVE = 0.10;

    /// `G1NewSizePercent`: Eden at the start.
    private static final double YOUNG_AT_START = 0.05;

    /// Collections until Eden has its full size.
    private static final int YOUNG_GROWS_FOR = 2;

    /// `G1MixedGCCountTarget`.
    private static final int MIXED_COLLECTIONS = 8;

    private final HeapFlags flags;
    private final GcCosts costs;
    private final HeapLayout layout;
    private final long region;
    private final long heapBytes;
    private final HeapTally tally = new HeapTally();
    private final List<Batch> eden = new ArrayList<>();
    private List<Batch> survivors = new ArrayList<>();
    private List<Batch> old = new ArrayList<>();
    private List<Batch> humongous = new ArrayList<>();
    private long edenUsed;
    private long survivorUsed;
    private long oldUsed;
    private long humongousUsed;
    private int threshold;
    private int mixedLeft;
    private boolean marking;

    G1Heap(HeapFlags flags, GcCosts costs) {
        this.flags = flags;
        this.costs = costs;
        layout = HeapLayout.of(flags);
        region = layout.alignmentBytes();
        heapBytes = layout.edenBytes() + layout.survivorBytes() + layout.oldBytes();
        threshold = flags.maxTenuringThreshold();
    }

    @Override
    public double allocate(Life life, long objectBytes, long count, double nowSeconds)
            throws HeapExhausted {
        return objectBytes > region / 2
                ? allocateHumongous(life, objectBytes, count)
                : allocateYoung(life, objectBytes, count);
    }

    private double allocateYoung(Life life, long objectBytes, long count) throws HeapExhausted {
        double stopped = 0;
        long left = count;
        while (left > 0) {
            long fits = Math.min(left, (edenTarget() - edenUsed) / objectBytes);
            if (fits > 0) {
                eden.add(new Batch(life, objectBytes, fits, 0));
                edenUsed += fits * objectBytes;
                left -= fits;
                continue;
            }
            stopped += young();
            if (edenTarget() < objectBytes) {
                stopped += full();
                if (edenTarget() < objectBytes) {
                    throw new HeapExhausted(objectBytes);
                }
            }
        }
        return stopped;
    }

    private double allocateHumongous(Life life, long objectBytes, long count) throws HeapExhausted {
        double stopped = 0;
        long regions = (objectBytes + region - 1) / region * region;
        for (long i = 0; i < count; i++) {
            if (!marking && oldUsed + humongousUsed > heapBytes * MARKING_STARTS_AT) {
                marking = true;
                stopped += young();
            }
            if (free() < regions) {
                stopped += young();
            }
            if (free() < regions) {
                stopped += full();
            }
            if (free() < regions) {
                throw new HeapExhausted(objectBytes);
            }
            humongous.add(new Batch(life, regions, 1, 0));
            humongousUsed += regions;
            tally.direct(regions);
        }
        return stopped;
    }

    private long free() {
        return heapBytes - edenUsed - survivorUsed - oldUsed - humongousUsed;
    }

    private long edenTarget() {
        long most = layout.edenBytes() + layout.survivorBytes() - survivorUsed;
        boolean starting = tally.youngGcs() < YOUNG_GROWS_FOR && flags.xmn().isEmpty();
        long target = starting ? Math.max(region, (long) (heapBytes * YOUNG_AT_START)) : most;
        long room = (long) (heapBytes * (1 - RESERVE)) - survivorUsed - oldUsed - humongousUsed;
        return Math.max(0, Math.min(target, room)) / region * region;
    }

    private double young() throws HeapExhausted {
        var live = new ArrayList<Batch>(survivors);
        live.addAll(eden);
        live.removeIf(b -> !b.alive());
        var ages = new AgeTable();
        survivors = new ArrayList<>();
        survivorUsed = 0;
        long promoted = 0;
        for (Batch b : live) {
            long room = (layout.survivorBytes() - survivorUsed) / b.objectBytes();
            long staying = b.age() < threshold ? Math.min(b.count(), room) : 0;
            if (staying > 0) {
                Batch copy = b.of(staying).older();
                survivors.add(copy);
                survivorUsed += copy.bytes();
                ages.add(copy.age(), copy.bytes());
            }
            if (staying < b.count()) {
                Batch leaving = b.of(b.count() - staying);
                old.add(leaving);
                oldUsed += leaving.bytes();
                promoted += leaving.bytes();
            }
        }
        eden.clear();
        edenUsed = 0;
        threshold =
                ages.threshold(
                        layout.survivorBytes() * flags.targetSurvivorRatio() / 100,
                        flags.maxTenuringThreshold());
        reclaimHumongous();
        double pause =
                costs.minorFixed()
                        + count(survivors) * costs.perObject()
                        + survivorUsed * costs.copyPerByte()
                        + promoted * (costs.copyPerByte() + costs.touchPerByte());
        tally.young(pause, promoted, survivorUsed);
        mixed();
        return free() < 0 ? pause + full() : pause;
    }

    /// Dead arrays that no other object refers to go at any young collection.
    private void reclaimHumongous() {
        humongous = new ArrayList<>(humongous.stream().filter(Batch::alive).toList());
        humongousUsed = humongous.stream().mapToLong(Batch::bytes).sum();
    }

    private void mixed() {
        if (mixedLeft > 0) {
            long garbage = oldUsed - live(old);
            long taken = garbage / mixedLeft;
            mixedLeft--;
            if (mixedLeft == 0) {
                old = new ArrayList<>(old.stream().filter(Batch::alive).toList());
                oldUsed = live(old);
            } else {
                oldUsed -= taken;
            }
        } else if (marking) {
            marking = false;
            mixedLeft = MIXED_COLLECTIONS;
        } else if (oldUsed + humongousUsed > heapBytes * MARKING_STARTS_AT) {
            marking = true;
        }
    }

    private static long count(List<Batch> batches) {
        return batches.stream().mapToLong(Batch::count).sum();
    }

    private static long live(List<Batch> batches) {
        return batches.stream().filter(Batch::alive).mapToLong(Batch::bytes).sum();
    }

    private double full() throws HeapExhausted {
        var all = new ArrayList<Batch>(old);
        all.addAll(survivors);
        all.addAll(eden);
        all.removeIf(b -> !b.alive());
        old = all;
        oldUsed = live(old);
        survivors = new ArrayList<>();
        survivorUsed = 0;
        eden.clear();
        edenUsed = 0;
        mixedLeft = 0;
        marking = false;
        reclaimHumongous();
        if (free() < 0) {
            throw new HeapExhausted(oldUsed);
        }
        double pause =
                costs.fullPause(
                        new Generations.Live(
                                oldUsed + humongousUsed, count(old) + humongous.size()));
        tally.full(pause);
        return pause;
    }

    @Override
    public HeapTally tally() {
        return tally;
    }

    @Override
    public long oldFreeBytes() {
        return Math.max(0, free());
    }

    @Override
    public long oldLiveBytes() {
        return live(old) + live(humongous);
    }
}
