package dev.jdyno.capacity;

/// A resource that a request occupies: cores, a lock, the threads or connections of a pool.
///
/// @param ms D, the time one request occupies one unit
/// @param units P, the number of requests that can hold the resource at once; fractions are allowed
///   (1.8 available cores)
/// @param fixedMs the part of `ms` in which no work is done, because the lock is handed over to the
///   next thread. A change of the work does not affect it.
public record Resource(String name, double ms, double units, double fixedMs) {
    public Resource(String name, double ms, double units) {
        this(name, ms, units, 0);
    }

    public Resource {
        if (!(ms > 0) || Double.isInfinite(ms)) {
            throw new IllegalArgumentException(name + ": occupied ms must be positive, not " + ms);
        }
        if (!(fixedMs >= 0) || fixedMs > ms) {
            throw new IllegalArgumentException(
                    name + ": the fixed part must be 0 to " + ms + " ms, not " + fixedMs);
        }
        if (!(units > 0) || Double.isInfinite(units)) {
            throw new IllegalArgumentException(name + ": units must be positive, not " + units);
        }
    }

    Resource withMs(double newMs) {
        return new Resource(name, newMs, units, Math.min(fixedMs, newMs));
    }

    Resource withUnits(double newUnits) {
        return new Resource(name, ms, newUnits, fixedMs);
    }

    /// The throughput at which every unit is busy (F2), per second.
    public double maxQps() {
        return units / ms * 1000;
    }
}
