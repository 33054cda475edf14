package dev.jdyno.observe.threads;

import java.util.Optional;

/// Activity of the JIT compilers of a JVM between two samples. Values that the source does not
/// contain are empty.
///
/// @param used cores on which they ran
/// @param waited cores that they waited for in a run queue
/// @param queued methods that waited for a compiler at the second sample
/// @param compiledPerS methods that they completed per second
public record CompilerSample(
        Optional<Double> used,
        Optional<Double> waited,
        Optional<Integer> queued,
        Optional<Double> compiledPerS) {
    /// A sample of a JVM that cannot be observed.
    public static final CompilerSample UNSEEN =
            new CompilerSample(
                    Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
}
