package dev.jdyno.simulated;

import dev.jdyno.measure.NanoClock;

/// A clock that advances only with simulated work.
public final class VirtualClock implements NanoClock {
    private long nanos;

    @Override
    public long nanos() {
        return nanos;
    }

    void pass(double seconds) {
        nanos += Math.round(seconds * 1e9);
    }
}
