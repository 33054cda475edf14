package dev.jdyno.gclog.sums;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.gclog.event.PauseKind;
import dev.jdyno.gclog.event.Setup;
import dev.jdyno.gclog.event.Trouble;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Sizes of the heap and its parts over the log.
final class HeapMeter {
    private long highest;
    private long lowestCapacity = Long.MAX_VALUE;
    private long highestCapacity;
    private long lastCapacity;
    private double capacitySum;
    private long capacities;
    private long capacityChanges;
    private double youngSum;
    private long youngCount;
    private Optional<Double> oldCapacity = Optional.empty();
    private Optional<Double> oldUsed = Optional.empty();
    private long maxPromoted;
    private long promotedMostLine;
    private long humongousMax;
    private long humongousMaxLine;
    private Optional<Analysis.SlowFull> slowestFull = Optional.empty();
    private Optional<Analysis.FailedWithRoom> failedWithRoom = Optional.empty();
    private boolean hasMetaspace;
    private long metaspaceFirst;
    private long metaspaceLast;
    private double metaspaceFirstS;
    private double metaspaceLastS;
    private long metaspaceHighest;

    /// Metaspace sizes at selected times. Each time is later than the one before by a factor, so
    /// that one is always about halfway.
    private final List<MetaspaceAt> metaspaceAt = new ArrayList<>();

    private record MetaspaceAt(double atS, long bytes) {}

    /// Minimum length in ms of a full collection whose speed is reported. Shorter ones mostly
    /// consist of fixed costs.
    private static final double LONG_MS = 2000;

    /// Maximum used share of an old generation that counts as having free space.
    private static final double WITH_FREE_SPACE = 0.8;

    /// Ratio of two successive times.
    private static final double APART = 1.25;

    void take(GcEvent.Pause p) {
        if (p.heap().isPresent()) {
            take(p.heap().get());
        }
        if (p.kind() == PauseKind.FULL && p.heap().isPresent() && p.ms() >= LONG_MS) {
            slow(new Analysis.SlowFull(p.heap().get().beforeBytes(), p.ms(), p.line()));
        }
        if (p.troubles().contains(Trouble.CONCURRENT_MODE_FAILURE)) {
            failed(p);
        }
        if (p.kind().isYoung() && p.young().isPresent()) {
            GcEvent.Occupancy young = p.young().get();
            youngSum += young.capacityBytes().orElse(young.beforeBytes());
            youngCount++;
        }
        if (p.old().isPresent()) {
            GcEvent.Occupancy old = p.old().get();
            oldUsed = Optional.of((double) old.afterBytes());
            if (old.capacityBytes().isPresent()) {
                oldCapacity = Optional.of((double) old.capacityBytes().getAsLong());
            }
        }
        if (p.promotedBytes().orElse(0) > maxPromoted) {
            maxPromoted = p.promotedBytes().getAsLong();
            promotedMostLine = p.line();
        }
        if (p.humongousBytes().isPresent() && p.humongousBytes().getAsLong() > humongousMax) {
            humongousMax = p.humongousBytes().getAsLong();
            humongousMaxLine = p.line();
        }
        if (p.metaspace().isPresent()) {
            metaspace(p.metaspace().get(), p.when().uptimeS());
        }
    }

    private void metaspace(GcEvent.Occupancy m, double atS) {
        if (!hasMetaspace) {
            hasMetaspace = true;
            metaspaceFirst = m.beforeBytes();
        }
        metaspaceLast = m.afterBytes();
        metaspaceLastS = atS;
        if (metaspaceAt.isEmpty()) {
            metaspaceFirstS = metaspaceLastS;
        }
        double since = metaspaceLastS - metaspaceFirstS;
        if (metaspaceAt.isEmpty() || since > Math.max(1, APART * metaspaceAt.getLast().atS())) {
            metaspaceAt.add(new MetaspaceAt(since, m.afterBytes()));
        }
        metaspaceHighest = Math.max(metaspaceHighest, m.beforeBytes());
    }

    /// Records a failure of an old generation that had enough free space, but perhaps not in one
    /// piece.
    private void failed(GcEvent.Pause p) {
        if (p.old().isEmpty() || p.heap().isEmpty() || p.old().get().capacityBytes().isEmpty()) {
            return;
        }
        long used = p.old().get().beforeBytes();
        long capacity = p.old().get().capacityBytes().getAsLong();
        double share = (double) used / capacity;
        if (share > WITH_FREE_SPACE || capacity - used < p.heap().get().beforeBytes() - used) {
            return;
        }
        failedWithRoom =
                Optional.of(
                        failedWithRoom
                                .map(f ->
                                        new Analysis.FailedWithRoom(
                                                f.count() + 1,
                                                Math.max(f.oldShare(), share),
                                                f.line()))
                                .orElseGet(() -> new Analysis.FailedWithRoom(1, share, p.line())));
    }

    private void slow(Analysis.SlowFull full) {
        if (slowestFull.isEmpty() || full.bytesPerS() < slowestFull.get().bytesPerS()) {
            slowestFull = Optional.of(full);
        }
    }

    void take(GcEvent.Occupancy heap) {
        highest = Math.max(highest, heap.beforeBytes());
        if (heap.capacityBytes().isEmpty()) {
            return;
        }
        long capacity = heap.capacityBytes().getAsLong();
        lowestCapacity = Math.min(lowestCapacity, capacity);
        highestCapacity = Math.max(highestCapacity, capacity);
        capacitySum += capacity;
        capacities++;
        if (lastCapacity > 0 && capacity != lastCapacity) {
            capacityChanges++;
        }
        lastCapacity = capacity;
    }

    private long metaspaceHalfway() {
        double half = (metaspaceLastS - metaspaceFirstS) / 2;
        return metaspaceAt.stream()
                .filter(m -> m.atS() >= half)
                .findFirst()
                .map(MetaspaceAt::bytes)
                .orElse(metaspaceLast);
    }

    Analysis.Heap finish(Setup setup, List<Analysis.Floor> floors, Optional<Double> atMost) {
        Optional<Double> live = FloorTrend.live(floors);
        boolean stated = setup.maxHeapBytes().isPresent();
        Optional<Double> max =
                stated
                        ? Optional.of((double) setup.maxHeapBytes().getAsLong())
                        : highestCapacity > 0
                                ? Optional.of((double) highestCapacity)
                                : Optional.empty();
        return new Analysis.Heap(
                max,
                stated,
                live.isPresent() ? live : atMost,
                live.isEmpty(),
                floors,
                FloorTrend.trend(FloorTrend.untilFull(floors, max.orElse(0.0))),
                youngCount == 0 ? Optional.empty() : Optional.of(youngSum / youngCount),
                oldCapacity,
                oldUsed,
                maxPromoted,
                promotedMostLine,
                highest,
                lowestCapacity == Long.MAX_VALUE ? 0 : lowestCapacity,
                highestCapacity,
                capacities == 0 ? Optional.empty() : Optional.of(capacitySum / capacities),
                capacityChanges,
                humongousMax,
                humongousMaxLine,
                hasMetaspace
                        ? Optional.of(
                                new Analysis.Metaspace(
                                        metaspaceFirst,
                                        metaspaceHalfway(),
                                        metaspaceLast,
                                        metaspaceHighest))
                        : Optional.empty(),
                slowestFull,
                failedWithRoom);
    }
}
