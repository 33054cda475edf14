package dev.jdyno.load;

import java.util.random.RandomGenerator;

/// When requests of the open model are to start: each arrival by the one before it, so that the
/// schedule never depends on what the server or this client does.
interface ArrivalTimes {
    /// The gap to the next arrival, in nanoseconds (a fraction is carried by the caller).
    double nextGapNanos();

    static ArrivalTimes of(Arrivals arrivals, double ratePerS, RandomGenerator random) {
        return switch (arrivals) {
            case CONSTANT -> constant(ratePerS);
            case POISSON -> poisson(ratePerS, random);
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
