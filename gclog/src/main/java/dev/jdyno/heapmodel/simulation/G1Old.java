package dev.jdyno.heapmodel.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// G1's old generation, region by region. Objects promoted together are in the same regions and
/// mostly die together, which determines how much a mixed collection frees.
final class G1Old {
    /// `G1MixedGCLiveThresholdPercent`: regions with a larger live share are not collected.
    private static final double MAX_LIVE = 0.85;

    /// `G1HeapWastePercent`: share of garbage in the heap that is not worth a mixed collection.
    private static final double WASTE = 0.05;

    /// `G1OldCSetRegionThresholdPercent`: maximum share of the heap in one mixed collection.
    private static final double MAX_TAKEN = 0.10;

    /// `G1MixedGCCountTarget`: a mixed collection takes at least its part of the candidates.
    private static final int MIXED_COLLECTIONS = 8;

    private final long regionBytes;
    private final long heapBytes;
    private final List<Region> regions = new ArrayList<>();
    private final List<Region> candidates = new ArrayList<>();
    private int minTaken;

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

    /// Adds objects behind those promoted last.
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

    /// Used bytes in whole regions, as G1 counts them.
    long usedBytes() {
        return regions.size() * regionBytes;
    }

    long liveBytes() {
        return regions.stream().mapToLong(Region::live).sum();
    }

    /// Called when marking is complete. Regions without live objects are free at once. The others
    /// that are worth it become candidates, the emptiest first. Objects that were promoted during
    /// marking are included, although HotSpot leaves them for the next cycle. With HotSpot's rule,
    /// forecasts were less accurate, because a log shows lifetimes only coarsely.
    void marked() {
        for (Region r : regions) {
            r.marked = r.live();
        }
        regions.removeIf(r -> r.marked == 0);
        candidates.clear();
        for (Region r : regions) {
            if (r.marked <= MAX_LIVE * regionBytes) {
                candidates.add(r);
            }
        }
        candidates.sort(Comparator.comparingLong(r -> r.marked));
        minTaken = (candidates.size() + MIXED_COLLECTIONS - 1) / MIXED_COLLECTIONS;
    }

    /// True if a mixed collection would still free enough.
    boolean worthCollecting() {
        long garbage = candidates.stream().mapToLong(r -> regionBytes - r.live()).sum();
        return garbage > WASTE * heapBytes;
    }

    /// Collects the old part of a mixed collection.
    ///
    /// @return the copied objects
    List<Batch> collect() {
        int max = Math.max(minTaken, (int) (MAX_TAKEN * heapBytes / regionBytes));
        List<Region> taken = List.copyOf(candidates.subList(0, Math.min(max, candidates.size())));
        candidates.removeAll(taken);
        regions.removeAll(taken);
        var copied = new ArrayList<Batch>();
        for (Region r : taken) {
            r.batches.stream().filter(Batch::alive).forEach(copied::add);
        }
        copied.forEach(this::add);
        return copied;
    }

    /// Called for a full collection, after which only the live objects remain, compacted.
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
