package dev.jdyno.observe.threads;

import java.util.Optional;

/// What the JIT compilers of a JVM did between two looks. What its source does not show is absent.
///
/// @param used cores on which they ran
/// @param waited cores that they waited for in a run queue
/// @param queued methods that waited for a compiler at the second look
/// @param compiledPerS methods that they finished
public record CompilerLook(
        Optional<Double> used,
        Optional<Double> waited,
        Optional<Integer> queued,
        Optional<Double> compiledPerS) {
    /// Of a JVM of which nothing is seen.
    public static final CompilerLook UNSEEN =
            new CompilerLook(
                    Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
}
