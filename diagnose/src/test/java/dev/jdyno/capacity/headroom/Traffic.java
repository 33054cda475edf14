package dev.jdyno.capacity.headroom;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;

/// Simulated traffic with known demands. A request takes 2 ms of CPU, and 0.1 of 2 cores are used
/// without requests, so CPU allows 950 requests/s. It holds one of 8 pool members for 20 ms, which
/// allows 400 requests/s.
record Traffic(long seed, int seconds, IntToDoubleFunction rate, double noise, double outliers) {
    static final double DEMAND_S = 0.002;
    static final double BASE = 0.1;
    static final double CORES = 2;
    static final double LIMIT = (CORES - BASE) / DEMAND_S;
    static final double HELD_S = 0.02;
    static final double POOL = 8;

    /// @param noise of one second's use, as a share of it
    static Traffic of(long seed, int seconds, IntToDoubleFunction rate, double noise) {
        return new Traffic(seed, seconds, rate, noise, 0);
    }

    /// A day in five minutes: the load swings by 40 % around its mean.
    static double swing(int second) {
        return 400 * (1 + 0.4 * Math.sin(second / 40.0));
    }

    /// Adds a collection that uses another core in this share of the seconds.
    Traffic withOutliers(double share) {
        return new Traffic(seed, seconds, rate, noise, share);
    }

    /// The CPU use in windows of one second.
    List<LoadWindow> cpu() {
        return windows(false);
    }

    List<LoadWindow> cpuAndPool() {
        return windows(true);
    }

    private List<LoadWindow> windows(boolean pool) {
        Random random = new Random(seed);
        List<LoadWindow> windows = new ArrayList<>();
        for (int s = 0; s < seconds; s++) {
            double mean = rate.applyAsDouble(s);
            double requests = Math.max(0, mean + Math.sqrt(mean) * random.nextGaussian());
            double cores = noisy(BASE + DEMAND_S * requests, random);
            if (random.nextDouble() < outliers) {
                cores += 1;
            }
            List<PoolUse> pools =
                    pool
                            ? List.of(
                                    new PoolUse(
                                            "orders",
                                            "HikariCP",
                                            Math.min(POOL, noisy(HELD_S * requests, random)),
                                            POOL))
                            : List.of();
            windows.add(new LoadWindow(1, requests, Math.min(CORES, cores), CORES, pools));
        }
        return windows;
    }

    private double noisy(double value, Random random) {
        return Math.max(0, value * (1 + noise * random.nextGaussian()));
    }
}
