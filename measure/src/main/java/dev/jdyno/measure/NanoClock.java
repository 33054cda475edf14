package dev.jdyno.measure;

/// A monotonic clock in nanoseconds. Rooms take one as a parameter, so that tests own time; only
/// this file asks the system.
@FunctionalInterface
public interface NanoClock {
    long nanos();

    /// The system's monotonic clock; its origin is arbitrary, only differences have a meaning.
    NanoClock SYSTEM = System::nanoTime;

    default double secondsSince(long startNanos) {
        return (nanos() - startNanos) / 1e9;
    }
}
