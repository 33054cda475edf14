package dev.jdyno.compare;

import dev.jdyno.measure.Round;
import java.util.Optional;

/// A block of A and a block of B at one load, one directly after the other.
///
/// @param load the kind of load of both blocks
public record Pair(Metric.Load load, Round a, Round b) {
    /// The ratio B ÷ A on the log scale; empty if a block lacks the figure, or the load is another
    /// one.
    Optional<Double> logRatio(Metric metric) {
        Optional<Double> of = metric.of(a);
        Optional<Double> to = metric.of(b);
        return load != metric.load() || of.isEmpty() || to.isEmpty()
                ? Optional.empty()
                : Optional.of(Math.log(to.get() / of.get()));
    }
}
