package dev.jdyno.compare;

import java.util.HashMap;
import java.util.Map;

/// Numbers the pairs of blocks at each load, whether the variants are measured side by side or one
/// after the other. A disturbed block keeps its number, so the next block gets a new one.
final class PairNumbers {
    private record Place(Arm arm, Metric.Load load) {}

    private final Map<Place, Integer> last = new HashMap<>();
    private int before;

    /// Lets both variants continue with the same number. If only one variant was interrupted, later
    /// pairs still match.
    void align() {
        before = last.values().stream().mapToInt(Integer::intValue).max().orElse(before);
        last.clear();
    }

    /// Returns the number, from 1, of the pair to which a variant's next block at a load belongs.
    int next(Arm arm, Metric.Load load) {
        return last.merge(new Place(arm, load), before + 1, (n, _) -> n + 1);
    }
}
