package dev.jdyno.heapmodel.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// G1 without its pause goal. The size of the young generation depends on the free memory and on
/// the expected survivors of Eden. Objects of half a region or more get regions of their own.
/// Concurrent marking begins at 45 % of the heap, and mixed collections collect the emptiest old
/// regions.
///
/// The size of Eden was derived from logs of JDK 17 and 25 and is HotSpot's own condition
/// (`G1Policy::predict_will_fit`): the expected space for Eden's survivors must fit into the memory
/// that Eden leaves free,
///
///     Eden · survival · 2.2 · margin ≤ free − Eden.
public final class G1Heap implements SimulatedHeap {
    /// Share of the heap in use at which marking begins (`InitiatingHeapOccupancyPercent`).
    private static final double MARKING_STARTS_AT = 0.45;

    /// `G1NewSizePercent`: the minimum and the initial size of the young generation.
    private static final double MIN_YOUNG = 0.05;

    /// Half of `G1ReservePercent`; young may use the other half.
    private static final double RESERVE = 0.05;

    /// Factor for the space that copies of survivors need: `100 / G1ConfidencePercent · (100 +
    /// TargetPLABWastePct) / 100`.
    private static final double COPY_SAFETY = 2.2;

    /// Ratio of a prediction to the mean. A prediction is the decaying mean plus half a deviation.
    /// In logs, it is a quarter above the mean.
    private static final double MARGIN = 1.25;

    /// Weight of the last sample in a prediction (`TruncatedSeq`).
    private static final double LAST_WEIGHT = 0.3;

    /// Last release in which Eden has its minimum size in the mixed phase; in JDK 25 it does not.
    private static final int MIN_EDEN_WHEN_MIXED = 17;

    /// Time of marking relative to a pause that copies the same bytes. Only one thread marks, and
    /// it shares the CPUs with the application. Chosen on logs of two CPUs.
    private static final double MARKING_SLOWNESS = 5;

    /// Size of the young generation ÷ survivors if no flag sets it.
    private static final int SURVIVOR_RATIO = 8;

    /// Assumed size of old objects for marking, in bytes.
    private static final long OBJECT_BYTES = 64;

    private enum Phase {
        YOUNG_ONLY,
        MARKING,
        MIXED
    }

    private final HeapFlags flags;
    private final GcCosts costs;
    private final HeapLayout layout;
    private final long region;
    private final long heapBytes;
    private final HeapTally tally = new HeapTally();
    private final List<Batch> eden = new ArrayList<>();
    private final G1Old old;
    private List<Batch> survivors = new ArrayList<>();
    private final List<Batch> humongous = new ArrayList<>();
    private long edenUsed;
    private long edenTarget;
    private long survivorUsed;
    private long humongousUsed;
    private int threshold;
    private Optional<Double> survival = Optional.empty();
    private Phase phase = Phase.YOUNG_ONLY;
    private double markedAt;

    public G1Heap(HeapFlags flags, GcCosts costs) {
        this.flags = flags;
        this.costs = costs;
        layout = HeapLayout.of(flags);
        region = layout.alignmentBytes();
        heapBytes = layout.edenBytes() + layout.survivorBytes() + layout.oldBytes();
        old = new G1Old(region, heapBytes);
        threshold = flags.maxTenuringThreshold();
        edenTarget = flags.xmn().isPresent() ? layout.edenBytes() : least();
    }

    private long least() {
        return Math.max(region, down(heapBytes * MIN_YOUNG));
    }

    private long down(double bytes) {
        return ((long) (bytes / region)) * region;
    }

    @Override
    public double allocate(Life life, long objectBytes, long count, double nowSeconds)
            throws HeapExhausted {
        return objectBytes > region / 2
                ? allocateHumongous(life, objectBytes, count, nowSeconds)
                : allocateYoung(life, objectBytes, count, nowSeconds);
    }

    private double allocateYoung(Life life, long objectBytes, long count, double now)
            throws HeapExhausted {
        double stopped = 0;
        long left = count;
        while (left > 0) {
            // humongous arrays may have used memory intended for Eden
            long available = Math.min(edenTarget - edenUsed, Math.max(0, free()));
            long fits = Math.min(left, available / objectBytes);
            if (fits > 0) {
                eden.add(new Batch(life, objectBytes, fits, 0));
                edenUsed += fits * objectBytes;
                left -= fits;
                continue;
            }
            stopped += young(now + stopped);
            if (edenTarget < objectBytes) {
                stopped += full();
                if (edenTarget < objectBytes) {
                    throw new HeapExhausted(objectBytes);
                }
            }
        }
        return stopped;
    }

    private double allocateHumongous(Life life, long objectBytes, long count, double now)
            throws HeapExhausted {
        double stopped = 0;
        long regions = (objectBytes + region - 1) / region * region;
        for (long i = 0; i < count; i++) {
            if (phase == Phase.YOUNG_ONLY && isOldFull()) {
                stopped += young(now + stopped);
            }
            if (free() < regions) {
                stopped += young(now + stopped);
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

    private boolean isOldFull() {
        return old.usedBytes() + humongousUsed > heapBytes * MARKING_STARTS_AT;
    }

    private long free() {
        return heapBytes - edenUsed - survivorUsed - old.usedBytes() - humongousUsed;
    }

    /// Size of the empty Eden until the next collection.
    private long nextEden() {
        if (flags.xmn().isPresent()) {
            return Math.max(0, Math.min(layout.edenBytes(), down((double) free())));
        }
        boolean small = phase == Phase.MIXED && flags.jdk() <= MIN_EDEN_WHEN_MIXED;
        double expected = free() / (1 + COPY_SAFETY * MARGIN * survival.orElse(0.0));
        double max =
                Math.min(
                        (double) (layout.edenBytes() + layout.survivorBytes() - survivorUsed),
                        free() - RESERVE * heapBytes);
        long wanted = small ? least() : Math.max(least(), down(Math.min(expected, max)));
        return Math.max(0, Math.min(wanted, down((double) free())));
    }

    /// Maximum size of the survivor regions: the size of young ÷ `SurvivorRatio`, in whole regions.
    private long maxSurvivorBytes() {
        long young = edenTarget + survivorUsed;
        long ratio = flags.survivorRatio().orElse(SURVIVOR_RATIO);
        return (young / ratio + region - 1) / region * region;
    }

    private double young(double now) throws HeapExhausted {
        if (phase == Phase.MARKING && now >= markedAt) {
            old.marked();
            phase = Phase.MIXED;
            return collect(false);
        }
        boolean mixed = phase == Phase.MIXED && old.worthCollecting();
        if (phase == Phase.MIXED && !mixed) {
            phase = Phase.YOUNG_ONLY;
        }
        boolean starts = phase == Phase.YOUNG_ONLY && isOldFull();
        double pause = collect(mixed);
        if (starts && phase == Phase.YOUNG_ONLY) {
            phase = Phase.MARKING;
            markedAt =
                    now + pause + MARKING_SLOWNESS * costs.copying(old.liveBytes(), OBJECT_BYTES);
        }
        return pause;
    }

    private double collect(boolean mixed) throws HeapExhausted {
        long max = maxSurvivorBytes();
        double survived = edenUsed == 0 ? 0 : (double) G1Old.live(eden) / edenUsed;
        survival =
                Optional.of(
                        survival.map(s -> LAST_WEIGHT * survived + (1 - LAST_WEIGHT) * s)
                                .orElse(survived));
        var live = new ArrayList<Batch>(survivors);
        live.addAll(eden);
        live.removeIf(b -> !b.alive());
        var ages = new AgeTable();
        survivors = new ArrayList<>();
        long kept = 0;
        long promoted = 0;
        long objects = 0;
        for (Batch b : live) {
            long available = (max - kept) / b.objectBytes();
            long staying = b.age() < threshold ? Math.min(b.count(), available) : 0;
            objects += b.count();
            if (staying > 0) {
                Batch copy = b.of(staying).older();
                survivors.add(copy);
                kept += copy.bytes();
                ages.add(copy.age(), copy.bytes());
            }
            if (staying < b.count()) {
                Batch leaving = b.of(b.count() - staying);
                old.add(leaving);
                promoted += leaving.bytes();
            }
        }
        long moved = 0;
        if (mixed) {
            for (Batch b : old.collect()) {
                moved += b.bytes();
                objects += b.count();
            }
        }
        survivorUsed = (kept + region - 1) / region * region;
        eden.clear();
        edenUsed = 0;
        threshold =
                ages.threshold(
                        max * flags.targetSurvivorRatio() / 100, flags.maxTenuringThreshold());
        reclaimHumongous();
        double pause =
                costs.minorFixed()
                        + objects * costs.perObject()
                        + (kept + moved) * costs.copyPerByte()
                        + promoted * (costs.copyPerByte() + costs.touchPerByte());
        tally.young(pause, promoted, kept + moved);
        if (free() < 0) {
            return pause + full();
        }
        edenTarget = nextEden();
        return pause;
    }

    /// Frees dead arrays that no other object references; any young collection does so.
    private void reclaimHumongous() {
        if (humongous.removeIf(b -> !b.alive())) {
            humongousUsed = humongous.stream().mapToLong(Batch::bytes).sum();
        }
    }

    private double full() throws HeapExhausted {
        survivors.forEach(old::add);
        eden.forEach(old::add);
        long objects = old.compact().stream().mapToLong(Batch::count).sum();
        survivors = new ArrayList<>();
        survivorUsed = 0;
        eden.clear();
        edenUsed = 0;
        phase = Phase.YOUNG_ONLY;
        reclaimHumongous();
        if (free() < 0) {
            throw new HeapExhausted(old.usedBytes());
        }
        double pause =
                costs.fullPause(
                        new Generations.Live(
                                old.usedBytes() + humongousUsed, objects + humongous.size()));
        tally.full(pause);
        edenTarget = nextEden();
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
        return old.liveBytes() + G1Old.live(humongous);
    }
}
