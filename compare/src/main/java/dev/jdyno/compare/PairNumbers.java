package dev.jdyno.compare;

import java.util.HashMap;
import java.util.Map;

/// Numbers of the pairs of blocks at each load, whether both variants are measured side by side or
/// one after the other. A block that was spoilt has its number, too, so that the next one keeps its
/// own.
final class PairNumbers {
    private record Place(Arm arm, Metric.Load load) {}

    private final Map<Place, Integer> last = new HashMap<>();
    private int before;

    /// Both variants begin anew together: what only one of them was stopped in does not shift what
    /// follows.
    void align() {
        before = last.values().stream().mapToInt(Integer::intValue).max().orElse(before);
        last.clear();
    }

    /// Number, from 1, of the pair to which the next block of a variant at a load belongs.
    int next(Arm arm, Metric.Load load) {
        return last.merge(new Place(arm, load), before + 1, (n, _) -> n + 1);
    }
}
