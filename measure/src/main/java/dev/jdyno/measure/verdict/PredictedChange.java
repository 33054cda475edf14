package dev.jdyno.measure.verdict;

import java.util.stream.Stream;

/// The change of a what-if row.
public sealed interface PredictedChange permits StandardChange, PredictedChange.Other {
    /// The text in results.
    String says();

    /// A change that a later version predicts by default.
    record Other(String says) implements PredictedChange {}

    /// Reads {@link #says}.
    static PredictedChange of(String says) {
        return Stream.<PredictedChange>of(StandardChange.values())
                .filter(c -> c.says().equals(says))
                .findFirst()
                .orElseGet(() -> new Other(says));
    }
}
