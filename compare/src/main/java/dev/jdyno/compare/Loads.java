package dev.jdyno.compare;

import dev.jdyno.trial.Side;

/// The loads of blocks: one above the knee, and one that the service handles easily.
///
/// @param concurrency requests in flight in saturated blocks
/// @param ratePerS rate of blocks at a fixed rate; 0 without such blocks
public record Loads(int concurrency, double ratePerS) {
    /// Multiple of the knee at which throughput no longer grows.
    private static final int BEYOND_KNEE = 2;

    /// Share of the highest throughput at which queues are short.
    private static final double EASY_SHARE = 0.5;

    /// Concurrency divided by the number of users of the load with short queues.
    private static final int FEWER_USERS = 4;

    /// Minimum number of connections in an open model.
    private static final int MIN_CONNECTIONS = 16;

    /// Returns the saturating load and the fixed rate for one service.
    public static Loads of(Side.Capacity capacity) {
        return new Loads(beyond(capacity.knee()), easy(capacity.qps()));
    }

    /// @param knee of the service; with two services, the smaller one
    static int beyond(double knee) {
        return Math.max(BEYOND_KNEE, (int) Math.ceil(BEYOND_KNEE * knee));
    }

    /// @param max highest throughput of the service; with two services, that of the slower one
    static double easy(double max) {
        return Math.max(1, EASY_SHARE * max);
    }

    /// Returns the same loads for a load tool, which cannot send at a rate.
    public Loads withoutRate() {
        return new Loads(concurrency, 0);
    }

    /// Returns the number of users with short queues. It is half the knee, because the concurrency
    /// is twice the knee.
    int fewUsers() {
        return Math.max(1, concurrency / FEWER_USERS);
    }

    /// Returns the number of connections of blocks at a fixed rate.
    int connections() {
        return Math.max(MIN_CONNECTIONS, concurrency);
    }
}
