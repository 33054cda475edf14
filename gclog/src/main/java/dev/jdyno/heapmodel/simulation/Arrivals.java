package dev.jdyno.heapmodel.simulation;

/// The arrivals of requests: with a fixed concurrency, or at a rate whether or not replies have
/// come.
public sealed interface Arrivals {
    /// A closed model: `concurrency` clients. Each sends its next request after the last reply.
    record Closed(int concurrency) implements Arrivals {
        public Closed {
            if (concurrency < 1) {
                throw new IllegalArgumentException(
                        "concurrency must be at least 1, not " + concurrency);
            }
        }
    }

    /// An open model of independent users: exponential times between requests, with a fixed seed.
    record Open(double ratePerSecond) implements Arrivals {
        public Open {
            if (!(ratePerSecond > 0) || Double.isInfinite(ratePerSecond)) {
                throw new IllegalArgumentException("rate must be positive, not " + ratePerSecond);
            }
        }
    }
}
