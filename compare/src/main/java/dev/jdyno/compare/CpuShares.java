package dev.jdyno.compare;

import java.util.Map;

/// CPU time of a request by method: the shares of a profile divide the CPU time per request that
/// was measured beside it. A profile says well which share a method has, and badly how much time
/// that is, for it has few samples of a short window.
///
/// @param samples of the profile by what is compared, such as a method
/// @param cpuMs CPU time of a request
public record CpuShares(Map<String, Long> samples, double cpuMs) {
    private static final double SIGMAS = 2.5;

    public CpuShares {
        samples = Map.copyOf(samples);
    }

    private long all() {
        return Math.max(1, samples.values().stream().mapToLong(Long::longValue).sum());
    }

    /// 0 where no sample found it.
    public double ms(String name) {
        return cpuMs * samples.getOrDefault(name, 0L) / all();
    }

    /// Whether a difference is more than sampling makes.
    public boolean differs(String name, CpuShares other) {
        return differs(ms(name), error(name), other.ms(name), other.error(name));
    }

    private double error(String name) {
        return error(samples.getOrDefault(name, 0L), all(), cpuMs);
    }

    static boolean differs(double a, double aError, double b, double bError) {
        return Math.abs(b - a) > SIGMAS * Math.hypot(aError, bError);
    }

    /// Standard error of a share p of n samples, √(p (1 - p) / n), of the CPU time. One sample is
    /// the least that what has none or all of them may be off by.
    static double error(long samples, long all, double cpuMs) {
        double one = 1.0 / all;
        double share = Math.clamp((double) samples / all, one, Math.max(one, 1 - one));
        return cpuMs * Math.sqrt(share * (1 - share) / all);
    }
}
