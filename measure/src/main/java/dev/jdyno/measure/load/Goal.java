package dev.jdyno.measure.load;

import java.util.OptionalDouble;

/// A goal for a load: at most a share of the requests may miss it.
///
/// @param name as the user wrote it: `p99<100ms`, `ttfb.p99<50ms`, `errors<0.1%`
/// @param allowedShare share of the requests that may miss the goal: 0.01 for a p99, 0.001 for 0.1
///   % errors
/// @param limitMs a request slower than this misses; empty when only errors miss
/// @param firstByte whether the limit is for the first byte of the reply; else for the last one
public record Goal(String name, double allowedShare, OptionalDouble limitMs, boolean firstByte) {
    public Goal {
        if (!(allowedShare > 0 && allowedShare < 1)) {
            throw new IllegalArgumentException(name + ": share must be in 0…1: " + allowedShare);
        }
        if (firstByte && limitMs.isEmpty()) {
            throw new IllegalArgumentException(name + ": no limit for the first byte");
        }
    }

    /// A goal for whole replies.
    public Goal(String name, double allowedShare, OptionalDouble limitMs) {
        this(name, allowedShare, limitMs, false);
    }

    /// A goal that the `quantile` of the response times is at most `limitMs`.
    public static Goal responseTime(String name, double quantile, double limitMs) {
        return new Goal(name, 1 - quantile, OptionalDouble.of(limitMs));
    }

    /// A goal that the `quantile` of the times to the first byte is at most `limitMs`.
    public static Goal firstByte(String name, double quantile, double limitMs) {
        return new Goal(name, 1 - quantile, OptionalDouble.of(limitMs), true);
    }
}
