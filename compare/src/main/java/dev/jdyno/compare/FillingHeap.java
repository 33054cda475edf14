package dev.jdyno.compare;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.gc.GcActivity;
import java.util.List;
import java.util.Optional;

/// Detects live objects that grow from block to block. Later blocks of a start are then slower,
/// whatever the code, and a longer start would end with a full heap. Pure.
final class FillingHeap {
    /// Minimum number of blocks. Two blocks may differ only because of a collection in between.
    private static final int MIN_BLOCKS = 3;

    /// Minimum rise over the blocks of one start, as a share of the old generation.
    private static final double RISE = 0.2;

    private FillingHeap() {}

    /// @param blocks of one start in the order of time, including discarded ones
    static boolean of(List<Round> blocks) {
        List<GcActivity> seen = blocks.stream().flatMap(b -> b.gc().stream()).toList();
        List<Double> floors = seen.stream().flatMap(g -> g.why().oldFloorBytes().stream()).toList();
        Optional<Double> capacity =
                seen.isEmpty() ? Optional.empty() : seen.getLast().oldCapacityBytes();
        return floors.size() == seen.size() && capacity.filter(c -> rises(floors, c)).isPresent();
    }

    /// @param floors the lowest use of the old generation in each block, in bytes
    static boolean rises(List<Double> floors, double capacityBytes) {
        if (floors.size() < MIN_BLOCKS) {
            return false;
        }
        double last = floors.getLast();
        return floors.stream().allMatch(f -> f <= last)
                && last - floors.getFirst() >= RISE * capacityBytes;
    }
}
