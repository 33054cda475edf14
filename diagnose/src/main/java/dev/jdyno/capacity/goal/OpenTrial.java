package dev.jdyno.capacity.goal;

import java.util.ArrayList;
import java.util.List;

/// One load in the open model: requests are sent at a given rate, regardless of how fast the
/// service answers.
///
/// @param slices slices of about a second each, in the order of time and without gaps
/// @param pauses stops of the whole service that its JVM reported during the trial; empty if there
///   were none or they could not be observed
public record OpenTrial(double ratePerS, List<Slice> slices, List<Pause> pauses) {
    private static final double MIN_KEPT_UP_SECONDS = 20;

    /// Minimum share of the intended rate that random arrivals reach over 10 s, for rates above a
    /// few hundred per second.
    private static final double KEPT_UP_SHARE = 0.97;

    /// Share of the arrived requests by which the queue must grow for a trial to have fallen
    /// behind, in addition to chance.
    private static final double BEHIND_SHARE = 0.02;

    /// Number of standard deviations of Poisson arrivals by which a queue may grow by chance.
    private static final double BEHIND_SIGMAS = 2;

    /// @param misses number of requests that missed each goal of the search; a request with an
    ///   error misses every goal
    /// @param inFlight number of requests that had arrived and not ended at the end of the slice
    public record Slice(double seconds, long requests, List<Long> misses, long inFlight) {
        public Slice {
            misses = List.copyOf(misses);
        }
    }

    /// @param atSecond seconds since the start of the trial
    public record Pause(double atSecond, double ms) {}

    public OpenTrial {
        slices = List.copyOf(slices);
        pauses = List.copyOf(pauses);
        if (!(ratePerS > 0)) {
            throw new IllegalArgumentException("rate must be positive, not " + ratePerS);
        }
    }

    /// True if the service kept up. In the second half of the trial, the number of ended requests
    /// equals that of arrivals, and most ended in time. False for trials shorter than {@link
    /// #MIN_KEPT_UP_SECONDS}.
    boolean keptUp() {
        if (seconds() < MIN_KEPT_UP_SECONDS) {
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

    /// True if fewer requests ended than arrived over the last half, by more than chance. The queue
    /// then grows without end, so every goal will be broken, even one with a high limit. False for
    /// trials shorter than twice {@link #MIN_KEPT_UP_SECONDS}.
    ///
    /// The requests in flight show the difference. Fewer ended ones than the rate alone do not:
    /// random arrivals are fewer now and then.
    ///
    /// @param excusedSeconds seconds in which no request could end, because of a long pause
    boolean fellBehind(double excusedSeconds) {
        if (seconds() < 2 * MIN_KEPT_UP_SECONDS) {
            return false;
        }
        List<Slice> half = lastHalf();
        int first = slices.size() - half.size();
        // a stop of the machine can make the first slice longer than half of the trial
        double before = first == 0 ? 0 : slices.get(first - 1).inFlight();
        double grown = half.getLast().inFlight() - before;
        double arrived = half.stream().mapToDouble(Slice::requests).sum() + grown;
        return grown
                > BEHIND_SHARE * arrived
                        + BEHIND_SIGMAS * Math.sqrt(arrived)
                        + ratePerS * excusedSeconds;
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
