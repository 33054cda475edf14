package dev.jdyno.measure.verdict;

import java.util.stream.Stream;

/// The change that a what-if row is of.
public sealed interface PredictedChange permits StandardChange, PredictedChange.Other {
    /// As in results.
    String says();

    /// One that a later version predicts unasked.
    record Other(String says) implements PredictedChange {}

    /// Reads {@link #says}.
    static PredictedChange of(String says) {
        return Stream.<PredictedChange>of(StandardChange.values())
                .filter(c -> c.says().equals(says))
                .findFirst()
                .orElseGet(() -> new Other(says));
    }
}
