package dev.jdyno.capacity;

/// What a request occupies: cores, a lock, the places of a pool.
///
/// @param ms D, the time one request occupies one unit
/// @param units P, how many requests can hold it at once; a fraction is fine (1.8 cores left over)
public record Resource(String name, double ms, double units) {
    public Resource {
        if (!(ms > 0) || Double.isInfinite(ms)) {
            throw new IllegalArgumentException(name + ": occupied ms must be positive, not " + ms);
        }
        if (!(units > 0) || Double.isInfinite(units)) {
            throw new IllegalArgumentException(name + ": units must be positive, not " + units);
        }
    }

    /// F2: the throughput that keeps every unit busy, per second.
    public double maxQps() {
        return units / ms * 1000;
    }
}
