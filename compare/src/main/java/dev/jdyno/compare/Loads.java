package dev.jdyno.compare;

import dev.jdyno.trial.Side;

/// The loads of blocks: one above the knee, one that is served easily.
///
/// @param concurrency requests in flight of saturated blocks
/// @param ratePerS of blocks at a fixed rate
public record Loads(int concurrency, double ratePerS) {
    /// Times the knee: throughput grows no more.
    private static final int BEYOND_KNEE = 2;

    /// Share of the most throughput at which queues are short.
    private static final double EASY_SHARE = 0.5;

    /// Connections of an open model, at least.
    private static final int LEAST_CONNECTIONS = 16;

    /// Both for one service.
    public static Loads of(Side.Capacity capacity) {
        return new Loads(beyond(capacity.knee()), easy(capacity.qps()));
    }

    /// @param knee of the service; the smaller one where there are two
    static int beyond(double knee) {
        return Math.max(BEYOND_KNEE, (int) Math.ceil(BEYOND_KNEE * knee));
    }

    /// @param most throughput of the service; of the slower one where there are two
    static double easy(double most) {
        return Math.max(1, EASY_SHARE * most);
    }

    /// Connections of blocks at a fixed rate.
    int connections() {
        return Math.max(LEAST_CONNECTIONS, concurrency);
    }
}
