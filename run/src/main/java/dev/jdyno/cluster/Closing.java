package dev.jdyno.cluster;

import java.util.List;
import java.util.Optional;

/// Closes several objects. Each of them is closed, whatever the others throw.
final class Closing {
    private Closing() {}

    /// Runs all steps in order.
    ///
    /// @return the first failure, with the later ones as suppressed exceptions
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
