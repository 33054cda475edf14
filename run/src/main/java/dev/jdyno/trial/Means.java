package dev.jdyno.trial;

import java.util.List;
import java.util.Optional;

/// Means of figures that may be missing in part.
final class Means {
    private Means() {}

    /// Mean of the values; empty if there are none.
    static Optional<Double> of(List<Double> seen) {
        return seen.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        seen.stream().mapToDouble(Double::doubleValue).average().orElseThrow());
    }
}
