package dev.jdyno.heapmodel.simulation;

/// How requests come: as many at a time as are allowed, or at a rate that heeds nothing.
public sealed interface Arrivals {
    /// `concurrency` clients, each of which sends its next request when the last one is answered.
    record Closed(int concurrency) implements Arrivals {
        public Closed {
            if (concurrency < 1) {
                throw new IllegalArgumentException(
                        "concurrency must be at least 1, not " + concurrency);
            }
        }
    }

    /// Independent users: exponential times between requests, with a fixed seed.
    record Open(double ratePerSecond) implements Arrivals {
        public Open {
            if (!(ratePerSecond > 0) || Double.isInfinite(ratePerSecond)) {
                throw new IllegalArgumentException("rate must be positive, not " + ratePerSecond);
            }
        }
    }
}
