package dev.jdyno.capacity.headroom;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntFunction;

/// Simulated traffic to several endpoints with known demands: 0.1 of 4 cores are used without
/// requests, and `e0`, `e1`, … each have the rate and the demand of that index.
///
/// @param rates requests per second of each endpoint in a second
/// @param demandMs CPU time of a request to each endpoint
/// @param noise of one second's use, as a share of it
@SuppressWarnings("ArrayRecordComponent") // records are never compared
record MixedTraffic(
        long seed, int seconds, IntFunction<double[]> rates, double[] demandMs, double noise) {
    static final double BASE = 0.1;
    static final double CORES = 4;
    static final double[] THREE = {1, 4, 20};

    /// Three endpoints whose rates vary independently.
    static double[] varying(int second) {
        return new double[] {
            300 * (1 + 0.4 * Math.sin(second / 40.0)),
            100 * (1 + 0.5 * Math.sin(second / 23.0 + 1)),
            20 * (1 + 0.6 * Math.sin(second / 57.0 + 2))
        };
    }

    /// Three endpoints whose shares of the requests stay the same.
    static double[] constant(int second) {
        double all = 1 + 0.4 * Math.sin(second / 40.0);
        return new double[] {300 * all, 100 * all, 20 * all};
    }

    /// Windows of one second.
    List<LoadWindow> windows() {
        Random random = new Random(seed);
        List<LoadWindow> windows = new ArrayList<>();
        for (int s = 0; s < seconds; s++) {
            double[] rate = rates.apply(s);
            Map<String, Double> endpoints = new LinkedHashMap<>();
            double requests = 0;
            double cores = BASE;
            for (int e = 0; e < rate.length; e++) {
                double n = Math.max(0, rate[e] + Math.sqrt(rate[e]) * random.nextGaussian());
                endpoints.put("e" + e, n);
                requests += n;
                cores += n * demandMs[e] / 1000;
            }
            cores *= 1 + noise * random.nextGaussian();
            windows.add(
                    new LoadWindow(
                            1,
                            requests,
                            Math.clamp(cores, 0, CORES),
                            CORES,
                            Optional.of(CORES),
                            List.of(),
                            List.of(),
                            endpoints));
        }
        return windows;
    }

    /// The true limit for the mean mix of these windows.
    double limitPerS(List<LoadWindow> windows) {
        double requests = 0;
        double cpuMs = 0;
        for (LoadWindow w : windows) {
            requests += w.requests();
            for (int e = 0; e < demandMs.length; e++) {
                cpuMs += w.endpoints().getOrDefault("e" + e, 0.0) * demandMs[e];
            }
        }
        return (CORES - BASE) / (cpuMs / requests / 1000);
    }
}
