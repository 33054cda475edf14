package dev.jdyno.trial;

import java.util.List;
import java.util.Optional;

/// Means of figures of which some may not have been seen.
final class Means {
    private Means() {}

    /// Empty where none was seen.
    static Optional<Double> of(List<Double> seen) {
        return seen.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        seen.stream().mapToDouble(Double::doubleValue).average().orElseThrow());
    }
}
