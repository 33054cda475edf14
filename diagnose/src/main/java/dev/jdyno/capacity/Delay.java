package dev.jdyno.capacity;

/// What a request waits for without taking it from another: a remote call of a service with room to
/// spare, a timer.
public record Delay(String name, double ms) {
    public Delay {
        if (!(ms >= 0) || Double.isInfinite(ms)) {
            throw new IllegalArgumentException(name + ": waited ms must be 0 or more, not " + ms);
        }
    }
}
