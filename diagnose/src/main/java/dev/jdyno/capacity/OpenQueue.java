package dev.jdyno.capacity;

import java.util.List;
import java.util.Optional;

/// Response time under an open load: requests arrive at a rate, whatever the service does, as with
/// real users. M/G/k per station by the approximation of Lee & Longton (1959), and a term for
/// pauses of the whole service.
///
/// Mean wait at a station of k units, utilisation ρ, service time D with squared coefficient of
/// variation c²: W = C(k, ρ) · D / (k (1 − ρ)) · (1 + c²) / 2 with Erlang's C, interpolated
/// linearly between whole numbers of units. It is exact for M/M/k and M/G/1. For M/G/k it is a few
/// percent too high if c² < 1, and may be 20 % off if c² is far above 1. The tail of the wait is
/// assumed to be exponential.
///
/// A pause of d ms delays the requests that arrive during the pause or while its backlog is
/// processed. A request that arrives u ms after its start waits d − (1 − ρ)·u. So a share rate · (d
/// − t) / (1 − ρ) of all requests waits longer than t. The shares of several causes are added, so
/// the sum is an upper bound.
///
/// @param serviceScv c² of the service times: 0 constant, 1 exponential
/// @param spread σ of ln(response time) without queueing; 0 if it is constant
public record OpenQueue(RequestPath path, double serviceScv, double spread, List<Pauses> pauses) {
    /// Number of quantiles that represent the distribution of the response time without queueing.
    private static final int BASE_QUANTILES = 200;

    /// Stops of the whole service.
    ///
    /// @param perSecond number of pauses per second
    /// @param ms length of a pause
    public record Pauses(double perSecond, double ms) {
        public Pauses {
            if (!(perSecond >= 0) || !(ms >= 0)) {
                throw new IllegalArgumentException("pauses must not be negative");
            }
        }
    }

    /// @param utilisation utilisation of the bottleneck; pauses count as lost time
    /// @param meanMs mean response time; `queueingMs` and `pausesMs` are parts of it
    public record OpenPoint(
            double ratePerS,
            double utilisation,
            double meanMs,
            double queueingMs,
            double pausesMs,
            double p99Ms) {}

    public OpenQueue {
        pauses = List.copyOf(pauses);
        if (!(serviceScv >= 0) || !(spread >= 0)) {
            throw new IllegalArgumentException("variation must not be negative");
        }
    }

    /// A queue with exponential service times, no additional spread and no pauses.
    public static OpenQueue of(RequestPath path) {
        return new OpenQueue(path, 1, 0, List.of());
    }

    /// Response times at this rate. Empty at or above the maximum rate of the service, because the
    /// queue grows without end there.
    public Optional<OpenPoint> at(double ratePerS) {
        double running = 1 - pauseShare();
        double utilisation = running <= 0 ? 1 : ratePerS / path.bottleneck().maxQps() / running;
        if (utilisation >= 1) {
            return Optional.empty();
        }
        double wait = 0;
        double busy = 0;
        for (Resource r : path.resources()) {
            double rho = ratePerS / r.maxQps() / running;
            double all = allBusy(r.units(), rho);
            busy = Math.max(busy, all);
            wait += all * r.ms() / (r.units() * (1 - rho)) * (1 + serviceScv) / 2;
        }
        double paused = 0;
        for (Pauses p : pauses) {
            paused += p.perSecond() * p.ms() * p.ms() / 2000 / (1 - utilisation);
        }
        double mean = path.totalMs() + wait + paused;
        return Optional.of(
                new OpenPoint(
                        ratePerS,
                        utilisation,
                        mean,
                        wait,
                        paused,
                        quantile(0.99, busy, wait, utilisation)));
    }

    /// Returns the probability that a request finds every unit in use (Erlang C).
    static double allBusy(double units, double rho) {
        int below = (int) Math.max(1, Math.floor(units));
        double share = Math.clamp(units - below, 0, 1);
        return (1 - share) * erlangC(below, rho) + share * erlangC(below + 1, rho);
    }

    private static double erlangC(int units, double rho) {
        // Erlang C is computed from Erlang B, which has a numerically stable recursion
        double offered = units * rho;
        double b = 1;
        for (int k = 1; k <= units; k++) {
            b = offered * b / (k + offered * b);
        }
        return b / (1 - rho * (1 - b));
    }

    private double pauseShare() {
        return pauses.stream().mapToDouble(p -> p.perSecond() * p.ms() / 1000).sum();
    }

    private double quantile(double q, double busy, double waitMs, double utilisation) {
        double lo = 0;
        double hi = path.totalMs() + 1;
        while (exceeds(hi, busy, waitMs, utilisation) > 1 - q) {
            hi *= 2;
        }
        for (int i = 0; i < 50; i++) {
            double mid = (lo + hi) / 2;
            if (exceeds(mid, busy, waitMs, utilisation) > 1 - q) {
                lo = mid;
            } else {
                hi = mid;
            }
        }
        return hi;
    }

    /// Returns the share of requests that take longer than `t`.
    private double exceeds(double t, double busy, double waitMs, double utilisation) {
        double sum = 0;
        for (int i = 0; i < BASE_QUANTILES; i++) {
            double z = NormalQuantile.of((i + 0.5) / BASE_QUANTILES);
            double base = path.totalMs() * Math.exp(spread * z - spread * spread / 2);
            sum += base >= t ? 1 : Math.min(1, waitsLonger(t - base, busy, waitMs, utilisation));
        }
        return sum / BASE_QUANTILES;
    }

    private double waitsLonger(double t, double busy, double waitMs, double utilisation) {
        double share = waitMs <= 0 ? 0 : busy * Math.exp(-busy * t / waitMs);
        for (Pauses p : pauses) {
            share += p.perSecond() * Math.max(0, p.ms() - t) / 1000 / (1 - utilisation);
        }
        return share;
    }
}
