package dev.jdyno.capacity;

/// A time for which a request waits without taking anything from other requests: a remote call to a
/// service with free capacity, a timer.
public record Delay(String name, double ms) {
    public Delay {
        if (!(ms >= 0) || Double.isInfinite(ms)) {
            throw new IllegalArgumentException(name + ": waited ms must be 0 or more, not " + ms);
        }
    }
}
