package dev.jdyno.capacity;

import java.util.List;

/// One load held in the open model: requests sent at a rate whatever the service does.
///
/// @param slices in order, without gaps, about a second each
/// @param pauses stops of the whole service that its JVM reported meanwhile; empty when there were
///   none or nobody could see them
public record OpenTrial(double ratePerS, List<Slice> slices, List<Pause> pauses) {
    /// @param misses requests that missed, one figure per goal of the search; errors miss every
    ///   goal
    public record Slice(double seconds, long requests, List<Long> misses) {
        public Slice {
            misses = List.copyOf(misses);
        }
    }

    /// @param atSecond since the start of the trial
    public record Pause(double atSecond, double ms) {}

    public OpenTrial {
        slices = List.copyOf(slices);
        pauses = List.copyOf(pauses);
        if (!(ratePerS > 0)) {
            throw new IllegalArgumentException("rate must be positive, not " + ratePerS);
        }
    }

    public double seconds() {
        return slices.stream().mapToDouble(Slice::seconds).sum();
    }
}
