package dev.jdyno.cluster;

import java.util.List;
import java.util.Optional;

/// Ends several things of which each must end, whatever another one throws.
final class Closing {
    private Closing() {}

    /// Takes all steps in their order.
    ///
    /// @return the first failure; it carries those after it as suppressed ones
    static Optional<Throwable> all(List<Runnable> steps) {
        Optional<Throwable> first = Optional.empty();
        for (Runnable step : steps) {
            try {
                step.run();
            } catch (Throwable failure) {
                first.ifPresent(f -> f.addSuppressed(failure));
                first = first.or(() -> Optional.of(failure));
            }
        }
        return first;
    }
}
