package dev.jdyno.heapmodel.forecast;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The contents of Shenandoah's regions. A cycle evacuates the regions with the most garbage until
/// it has copied its maximum
/// (`ShenandoahAdaptiveHeuristics::choose_collection_set_from_regiondata`); the garbage of the
/// other regions stays. Live objects die at the same rate in all regions. So regions filled long
/// ago have the most garbage, and those into which a cycle copied have the least.
final class ShenandoahRegions {
    /// Maximum share of the heap that a cycle copies: `ShenandoahEvacReserve` 5 % ÷
    /// `ShenandoahEvacWaste` 1.2.
    private static final double MAX_COPIED = 0.05 / 1.2;

    /// `ShenandoahGarbageThreshold`: regions with a smaller share of garbage are not evacuated.
    private static final double MIN_GARBAGE = 0.25;

    /// Number of parts of the heap. Regions filled one after the other are combined into a part.
    private static final int PARTS = 64;

    /// Regions filled in the same period.
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

    /// @param freshShare share of the allocation that is not dead at once
    /// @param atOnceShare share of the allocation that dies in regions of its own
    ShenandoahRegions(double heapBytes, double freshShare, double atOnceShare) {
        this.heapBytes = heapBytes;
        this.freshShare = freshShare;
        this.atOnceShare = atOnceShare;
    }

    /// @param liveBytes live bytes in the whole heap
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

    /// Simulates a cycle that copies.
    ///
    /// @param liveBytes live bytes in the whole heap
    /// @return bytes in use at its end
    double collect(double liveBytes) {
        fill(liveBytes);
        stretches.sort(Comparator.comparingDouble(Stretch::liveShare));
        double copyLimit = MAX_COPIED * heapBytes;
        double copied = 0;
        var left = new ArrayList<Stretch>();
        for (Stretch s : stretches) {
            double taken =
                    s.liveShare() > 1 - MIN_GARBAGE
                            ? 0
                            : Math.min(1, (copyLimit - copied) / Math.max(1, s.live()));
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
