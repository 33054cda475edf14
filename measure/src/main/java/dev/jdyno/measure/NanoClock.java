package dev.jdyno.measure;

/// A monotonic clock in nanoseconds. Classes take a clock as a parameter, so that tests control the
/// time. Only this file reads the system's clock.
@FunctionalInterface
public interface NanoClock {
    long nanos();

    /// The system's monotonic clock; its origin is arbitrary, only differences have a meaning.
    NanoClock SYSTEM = System::nanoTime;

    default double secondsSince(long startNanos) {
        return (nanos() - startNanos) / 1e9;
    }
}
