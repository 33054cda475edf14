package dev.jdyno.capacity.goal;

import java.util.ArrayList;
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

    /// Of a load beyond saturation at least this share is never answered in its time...
    private static final double BEHIND_SHARE = 0.98;

    /// ...and so many standard deviations of Poisson arrivals are put down to chance.
    private static final double BEHIND_SIGMAS = 2;

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
        if (seconds() < LEAST_KEPT_UP_SECONDS) {
            return false;
        }
        List<Slice> half = lastHalf();
        double requests = half.stream().mapToDouble(Slice::requests).sum();
        double misses =
                half.stream()
                        .mapToDouble(s -> s.misses().stream().mapToLong(m -> m).max().orElse(0))
                        .sum();
        double due = ratePerS * half.stream().mapToDouble(Slice::seconds).sum();
        return requests >= KEPT_UP_SHARE * due && misses < requests / 2;
    }

    /// Whether fewer requests ended than came, over the last half of at least twice {@link
    /// #LEAST_KEPT_UP_SECONDS} and by more than chance: the queue grows without end, so that every
    /// goal breaks in time, however far its limit is.
    ///
    /// @param excusedSeconds in which nothing could end, a long pause's
    boolean fellBehind(double excusedSeconds) {
        if (seconds() < 2 * LEAST_KEPT_UP_SECONDS) {
            return false;
        }
        List<Slice> half = lastHalf();
        double seconds = half.stream().mapToDouble(Slice::seconds).sum() - excusedSeconds;
        double due = ratePerS * Math.max(0, seconds);
        return half.stream().mapToDouble(Slice::requests).sum()
                < BEHIND_SHARE * due - BEHIND_SIGMAS * Math.sqrt(due);
    }

    private List<Slice> lastHalf() {
        double all = seconds();
        double from = 0;
        List<Slice> half = new ArrayList<>();
        for (Slice s : slices) {
            from += s.seconds();
            if (from > all / 2) {
                half.add(s);
            }
        }
        return half;
    }

    public double seconds() {
        return slices.stream().mapToDouble(Slice::seconds).sum();
    }
}
