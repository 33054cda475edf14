package dev.jdyno.heapmodel.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// G1's old generation, region by region: what was promoted together lies together and mostly dies
/// together, which decides how much a mixed collection gives back.
final class G1Old {
    /// `G1MixedGCLiveThresholdPercent`: fuller regions are left alone.
    private static final double LIVE_MOST = 0.85;

    /// `G1HeapWastePercent`: less garbage than this share of the heap is left where it is.
    private static final double WASTE = 0.05;

    /// `G1OldCSetRegionThresholdPercent`: the most that one mixed collection takes, of the heap.
    private static final double TAKEN_MOST = 0.10;

    /// `G1MixedGCCountTarget`: it takes its part of the candidates at least.
    private static final int MIXED_COLLECTIONS = 8;

    private final long regionBytes;
    private final long heapBytes;
    private final List<Region> regions = new ArrayList<>();
    private final List<Region> candidates = new ArrayList<>();
    private int takenAtLeast;

    private static final class Region {
        final List<Batch> batches = new ArrayList<>();
        long used;
        long marked;

        long live() {
            return G1Old.live(batches);
        }
    }

    G1Old(long regionBytes, long heapBytes) {
        this.regionBytes = regionBytes;
        this.heapBytes = heapBytes;
    }

    static long live(List<Batch> batches) {
        long bytes = 0;
        for (Batch b : batches) {
            bytes += b.alive() ? b.bytes() : 0;
        }
        return bytes;
    }

    /// Puts objects behind those promoted last.
    void add(Batch batch) {
        long left = batch.count();
        while (left > 0) {
            Region last = regions.isEmpty() ? open() : regions.getLast();
            long fits = Math.min(left, (regionBytes - last.used) / batch.objectBytes());
            if (fits == 0) {
                open();
                continue;
            }
            Batch part = batch.of(fits);
            last.batches.add(part);
            last.used += part.bytes();
            left -= fits;
        }
    }

    private Region open() {
        var region = new Region();
        regions.add(region);
        return region;
    }

    /// Whole regions, as G1 counts them.
    long usedBytes() {
        return regions.size() * regionBytes;
    }

    long liveBytes() {
        return regions.stream().mapToLong(Region::live).sum();
    }

    /// Marking is through: regions without a live object are free at once, and those worth it are
    /// to be collected, the emptiest first. What came to old while it went on is judged with the
    /// rest, though HotSpot leaves it for the next time: with it forecasts were worse, for what a
    /// log tells of lifetimes is too coarse.
    void marked() {
        for (Region r : regions) {
            r.marked = r.live();
        }
        regions.removeIf(r -> r.marked == 0);
        candidates.clear();
        for (Region r : regions) {
            if (r.marked <= LIVE_MOST * regionBytes) {
                candidates.add(r);
            }
        }
        candidates.sort(Comparator.comparingLong(r -> r.marked));
        takenAtLeast = (candidates.size() + MIXED_COLLECTIONS - 1) / MIXED_COLLECTIONS;
    }

    /// Whether a mixed collection would still free enough.
    boolean worthCollecting() {
        long garbage = candidates.stream().mapToLong(r -> regionBytes - r.live()).sum();
        return garbage > WASTE * heapBytes;
    }

    /// The old part of a mixed collection.
    ///
    /// @return what it copied
    List<Batch> collect() {
        int most = Math.max(takenAtLeast, (int) (TAKEN_MOST * heapBytes / regionBytes));
        List<Region> taken = List.copyOf(candidates.subList(0, Math.min(most, candidates.size())));
        candidates.removeAll(taken);
        regions.removeAll(taken);
        var copied = new ArrayList<Batch>();
        for (Region r : taken) {
            r.batches.stream().filter(Batch::alive).forEach(copied::add);
        }
        copied.forEach(this::add);
        return copied;
    }

    /// A full collection leaves what is alive, close together.
    List<Batch> compact() {
        var live = new ArrayList<Batch>();
        for (Region r : regions) {
            r.batches.stream().filter(Batch::alive).forEach(live::add);
        }
        regions.clear();
        candidates.clear();
        live.forEach(this::add);
        return live;
    }
}
