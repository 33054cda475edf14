package dev.jdyno.load.pacing;

import dev.jdyno.measure.load.Timetable;
import java.util.random.RandomGenerator;

/// The start times of requests of the open model. Each arrival depends only on the one before it,
/// so the schedule never depends on the server or on this client.
public interface ArrivalTimes {
    /// The gap to the next arrival in nanoseconds, with fractions; infinite if no arrival follows.
    /// The caller adds the gaps without rounding them.
    double nextGapNanos();

    /// The number of the request that the `n`-th arrival (from 0) sends; `n` unless the schedule
    /// defines another.
    default long request(long n) {
        return n;
    }

    static ArrivalTimes of(Arrivals arrivals, double ratePerS, RandomGenerator random) {
        return switch (arrivals) {
            case CONSTANT -> constant(ratePerS);
            case POISSON -> poisson(ratePerS, random);
        };
    }

    /// Every `stride`-th start of a timetable, beginning with number `first`.
    static ArrivalTimes listed(Timetable starts, int first, int stride) {
        return new ArrivalTimes() {
            private int next = first;
            private long before;

            @Override
            public double nextGapNanos() {
                if (next >= starts.size()) {
                    return Double.POSITIVE_INFINITY;
                }
                long start = starts.startNanos(next);
                double gap = start - before;
                before = start;
                next += stride;
                return gap;
            }

            @Override
            public long request(long n) {
                return first + n * stride;
            }
        };
    }

    static ArrivalTimes constant(double ratePerS) {
        double gap = 1e9 / ratePerS;
        return () -> gap;
    }

    /// Exponential gaps, by inversion: −ln(1 − U) / rate.
    static ArrivalTimes poisson(double ratePerS, RandomGenerator random) {
        double mean = 1e9 / ratePerS;
        return () -> -Math.log1p(-random.nextDouble()) * mean;
    }
}
