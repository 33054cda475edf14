package dev.jdyno.capacity;

import java.util.List;

/// One load held in the open model: requests sent at a rate whatever the service does.
///
/// @param slices in order, without gaps, about a second each
/// @param pauses stops of the whole service that its JVM reported meanwhile; empty when there were
///   none or nobody could see them
public record OpenTrial(double ratePerS, List<Slice> slices, List<Pause> pauses) {
    private static final double LEAST_KEPT_UP_SECONDS = 20;

    /// Arrivals by chance are this near to their rate over 10 s from a few hundred a second on.
    private static final double KEPT_UP_SHARE = 0.97;

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

    /// Whether as many requests ended as came, over the last half of at least {@link
    /// #LEAST_KEPT_UP_SECONDS}, most of them in time.
    boolean keptUp() {
        double all = seconds();
        if (all < LEAST_KEPT_UP_SECONDS) {
            return false;
        }
        double from = 0;
        double seconds = 0;
        double requests = 0;
        double misses = 0;
        for (Slice s : slices) {
            from += s.seconds();
            if (from > all / 2) {
                seconds += s.seconds();
                requests += s.requests();
                misses += s.misses().stream().mapToLong(m -> m).max().orElse(0);
            }
        }
        return requests >= KEPT_UP_SHARE * ratePerS * seconds && misses < requests / 2;
    }

    public double seconds() {
        return slices.stream().mapToDouble(Slice::seconds).sum();
    }
}
