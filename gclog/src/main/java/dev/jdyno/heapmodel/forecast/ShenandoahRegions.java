package dev.jdyno.heapmodel.forecast;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// What Shenandoah's regions hold: a cycle empties those with the most garbage until it has copied
/// as much as it may (`ShenandoahAdaptiveHeuristics::choose_collection_set_from_regiondata`), and
/// the garbage of the others stays. Of what is alive as much dies wherever it lies, so regions
/// filled long ago hold the most garbage, and those into which a cycle copied the least.
final class ShenandoahRegions {
    /// The most that a cycle copies, of the heap: `ShenandoahEvacReserve` 5 % ÷
    /// `ShenandoahEvacWaste` 1.2.
    private static final double COPIED_MOST = 0.05 / 1.2;

    /// `ShenandoahGarbageThreshold`: regions with less garbage are left alone.
    private static final double GARBAGE_LEAST = 0.25;

    /// Regions filled one after the other are taken together: so many parts of the heap.
    private static final int PARTS = 64;

    /// Regions filled at the same time.
    private record Stretch(double bytes, double live) {
        double liveShare() {
            return live / Math.max(1, bytes);
        }

        Stretch part(double share) {
            return new Stretch(bytes * share, live * share);
        }
    }

    private final double heapBytes;
    private final double freshShare;
    private final double atOnceShare;
    private List<Stretch> stretches = new ArrayList<>();
    private double pending;

    /// @param freshShare of the allocation that is not dead at once
    /// @param atOnceShare of the allocation that dies in regions of its own
    ShenandoahRegions(double heapBytes, double freshShare, double atOnceShare) {
        this.heapBytes = heapBytes;
        this.freshShare = freshShare;
        this.atOnceShare = atOnceShare;
    }

    /// @param liveBytes in the whole heap
    void allocate(double bytes, double liveBytes) {
        pending += bytes;
        if (pending >= heapBytes / PARTS) {
            fill(liveBytes);
        }
    }

    private void fill(double liveBytes) {
        double mixed = (1 - atOnceShare) * pending;
        stretches.add(new Stretch(atOnceShare * pending, 0));
        stretches.add(new Stretch(mixed, Math.min(mixed, freshShare * pending)));
        pending = 0;
        double alive = stretches.stream().mapToDouble(Stretch::live).sum();
        double left = alive > liveBytes ? liveBytes / alive : 1;
        stretches.replaceAll(s -> new Stretch(s.bytes(), s.live() * left));
    }

    /// A cycle that copies.
    ///
    /// @param liveBytes in the whole heap
    /// @return bytes in use when it ends
    double collect(double liveBytes) {
        fill(liveBytes);
        stretches.sort(Comparator.comparingDouble(Stretch::liveShare));
        double room = COPIED_MOST * heapBytes;
        double copied = 0;
        var left = new ArrayList<Stretch>();
        for (Stretch s : stretches) {
            double taken =
                    s.liveShare() > 1 - GARBAGE_LEAST
                            ? 0
                            : Math.min(1, (room - copied) / Math.max(1, s.live()));
            copied += taken * s.live();
            if (taken < 1) {
                left.add(s.part(1 - taken));
            }
        }
        left.add(new Stretch(copied, copied));
        stretches = left;
        return left.stream().mapToDouble(Stretch::bytes).sum();
    }
}
