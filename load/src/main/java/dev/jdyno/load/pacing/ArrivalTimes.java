package dev.jdyno.load.pacing;

import dev.jdyno.measure.load.Timetable;
import java.util.random.RandomGenerator;

/// When requests of the open model are to start: each arrival by the one before it, so that the
/// schedule never depends on what the server or this client does.
public interface ArrivalTimes {
    /// The gap to the next arrival, in nanoseconds (a fraction is carried by the caller); infinite
    /// when there is none.
    double nextGapNanos();

    /// Which request the `n`-th arrival (from 0) is for, where that is laid down.
    default long request(long n) {
        return n;
    }

    static ArrivalTimes of(Arrivals arrivals, double ratePerS, RandomGenerator random) {
        return switch (arrivals) {
            case CONSTANT -> constant(ratePerS);
            case POISSON -> poisson(ratePerS, random);
        };
    }

    /// Every `stride`-th start of a timetable, from the `first` on.
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

    /// Exponential gaps by inversion: −ln(1 − U) / rate.
    static ArrivalTimes poisson(double ratePerS, RandomGenerator random) {
        double mean = 1e9 / ratePerS;
        return () -> -Math.log1p(-random.nextDouble()) * mean;
    }
}
