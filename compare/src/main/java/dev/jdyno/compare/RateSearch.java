package dev.jdyno.compare;

import java.util.OptionalDouble;

/// Searches for the highest rate of an open model at which a percentile keeps its limit, in a few
/// blocks. It goes up or down until two rates bracket the answer, then tries their middle on the
/// log scale. The final rate is interpolated from the percentiles at both ends. Pure.
final class RateSearch {
    /// Number of blocks of one search. With it, the last bracket is a few per cent wide.
    static final int BLOCKS = 6;

    /// First rate, as a share of the highest throughput. At this rate, most services meet a
    /// sensible goal.
    private static final double FIRST_SHARE = 0.6;

    private static final double UP = 1.25;
    private static final double DOWN = 2;

    private final double limitMs;
    private double next;
    private OptionalDouble good = OptionalDouble.empty();
    private OptionalDouble bad = OptionalDouble.empty();
    private double goodMs;
    private double badMs;

    /// @param mostQps throughput at saturation
    RateSearch(double mostQps, double limitMs) {
        this.next = FIRST_SHARE * mostQps;
        this.limitMs = limitMs;
    }

    /// Returns the rate to measure next.
    double next() {
        return next;
    }

    /// @param percentileMs percentile at the requested rate; infinite if too many requests failed
    void measured(double percentileMs) {
        if (percentileMs <= limitMs) {
            good = OptionalDouble.of(next);
            goodMs = percentileMs;
        } else {
            bad = OptionalDouble.of(next);
            badMs = percentileMs;
        }
        if (bad.isEmpty()) {
            next *= UP;
        } else if (good.isEmpty()) {
            next /= DOWN;
        } else {
            next = Math.sqrt(good.getAsDouble() * bad.getAsDouble());
        }
    }

    /// Returns the highest rate; empty if no rate kept the limit.
    OptionalDouble rate() {
        if (good.isEmpty() || bad.isEmpty() || !Double.isFinite(badMs)) {
            return good;
        }
        double share = Math.log(limitMs / goodMs) / Math.log(badMs / goodMs);
        double lo = Math.log(good.getAsDouble());
        double hi = Math.log(bad.getAsDouble());
        return OptionalDouble.of(Math.exp(lo + Math.clamp(share, 0, 1) * (hi - lo)));
    }
}
