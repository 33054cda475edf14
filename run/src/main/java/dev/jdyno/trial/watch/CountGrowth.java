package dev.jdyno.trial.watch;

import java.util.Optional;

/// The growth of a count, from 0, between one reading and the next.
final class CountGrowth {
    private Optional<Double> before = Optional.of(0.0);

    /// Returns the growth since the last reading; empty if that reading failed, or if the count
    /// started again.
    Optional<Double> to(double now) {
        Optional<Double> grown = before.map(was -> now - was).filter(n -> n >= 0);
        before = Optional.of(now);
        return grown;
    }

    /// A reading failed: the growth until the next one belongs to a longer time.
    void failed() {
        before = Optional.empty();
    }
}
