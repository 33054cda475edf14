package dev.jdyno.compare;

import java.util.Map;

/// CPU time of a request by method: the CPU time per request, measured while a profile was taken,
/// is split by the profile's shares. A profile shows shares well but absolute times badly, because
/// it has few samples from a short window.
///
/// @param samples samples of the profile by method, or by another key to compare
/// @param cpuMs CPU time of a request
public record CpuShares(Map<String, Long> samples, double cpuMs) {
    private static final double SIGMAS = 2.5;

    public CpuShares {
        samples = Map.copyOf(samples);
    }

    private long all() {
        return Math.max(1, samples.values().stream().mapToLong(Long::longValue).sum());
    }

    /// Returns 0 if no sample has this name.
    public double ms(String name) {
        return cpuMs * samples.getOrDefault(name, 0L) / all();
    }

    /// True if the difference is larger than sampling alone causes.
    public boolean differs(String name, CpuShares other) {
        return differs(ms(name), error(name), other.ms(name), other.error(name));
    }

    private double error(String name) {
        return error(samples.getOrDefault(name, 0L), all(), cpuMs);
    }

    static boolean differs(double a, double aError, double b, double bError) {
        return Math.abs(b - a) > SIGMAS * Math.hypot(aError, bError);
    }

    /// Standard error of the CPU time of a share p of n samples, √(p (1 - p) / n). For a share of 0
    /// or 1, an error of at least one sample is assumed.
    static double error(long samples, long all, double cpuMs) {
        double one = 1.0 / all;
        double share = Math.clamp((double) samples / all, one, Math.max(one, 1 - one));
        return cpuMs * Math.sqrt(share * (1 - share) / all);
    }
}
