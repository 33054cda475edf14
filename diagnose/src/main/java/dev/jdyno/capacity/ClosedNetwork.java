package dev.jdyno.capacity;

import java.util.ArrayList;
import java.util.List;

/// The exact model of a closed load: N requests circulate through stations and delays, without
/// think time (Gordon & Newell 1967; the same numbers as exact mean value analysis, Reiser &
/// Lavenberg 1980).
///
/// Computed by Buzen's convolution (CACM 1973), in logarithms. Every term is positive, so no digits
/// are lost. The recursion of mean value analysis, in contrast, subtracts nearly equal
/// probabilities at stations with many units. The relative error of the arithmetic is < 1e-9 for N
/// up to 10 000. Time grows with N · P, because a station's terms form a geometric series once all
/// its units are in use.
///
/// The model is exact for cores that are shared in time slices and for delays of any distribution.
/// For stations that serve in order of arrival (locks, pools) it is exact only with exponential
/// service times. With constant hold times, the queue for a real lock is up to 50 % shorter than in
/// the model, and throughput is the same or higher. The model knows one kind of request. Two
/// overlapping waits are one delay of the longer one's length.
///
/// @param stations what requests occupy. A station of P units works at min(j, P) / D with j
///   requests there, also for fractions of a unit
/// @param delayMs time for which requests wait without occupying a station
public record ClosedNetwork(List<Resource> stations, double delayMs) {
    public ClosedNetwork {
        stations = List.copyOf(stations);
        if (!(delayMs >= 0) || Double.isInfinite(delayMs)) {
            throw new IllegalArgumentException("delay must be 0 ms or more, not " + delayMs);
        }
    }

    /// Maximum number of requests in flight for the model, more than any service has.
    private static final int MAX_CONCURRENCY = 1_000_000;

    /// Maximum number of steps of the convolution; each takes some nanoseconds.
    private static final double MAX_STEPS = 1e9;

    public static ClosedNetwork of(RequestPath path) {
        // work done while another resource is held waits in the queue of that resource
        List<Resource> own =
                path.resources().stream()
                        .filter(r -> path.ownMs(r) > 0)
                        .map(r -> new Resource(r.name(), path.ownMs(r), r.units()))
                        .toList();
        double occupied = own.stream().mapToDouble(Resource::ms).sum();
        return new ClosedNetwork(own, Math.max(0, path.totalMs() - occupied));
    }

    /// Throughput and response time for 1…`max` requests in flight.
    public List<Bounds.LoadPoint> curve(int max) {
        if (max < 1) {
            throw new IllegalArgumentException("concurrency must be positive, not " + max);
        }
        double steps = stations.stream().mapToDouble(s -> Math.min(s.units(), max) + 1).sum() * max;
        if (max > MAX_CONCURRENCY || steps > MAX_STEPS) {
            throw new IllegalArgumentException(
                    "the exact model of " + max + " requests in flight would take too long");
        }
        double[] g = logDelay(max);
        for (Resource s : stations) {
            g = withStation(g, s);
        }
        List<Bounds.LoadPoint> points = new ArrayList<>(max);
        for (int n = 1; n <= max; n++) {
            double qps = Math.exp(g[n - 1] - g[n]) * 1000;
            points.add(new Bounds.LoadPoint(n, qps, n / qps * 1000));
        }
        return points;
    }

    public Bounds.LoadPoint at(int n) {
        return curve(n).getLast();
    }

    /// Returns ln(Z^n / n!), the term of the delays, for each n.
    private double[] logDelay(int max) {
        double[] f = new double[max + 1];
        double logZ = Math.log(delayMs);
        for (int n = 1; n <= max; n++) {
            f[n] = f[n - 1] + logZ - Math.log(n);
        }
        return f;
    }

    /// The convolution of ln `g` with ln f(n), f(n) = D^n / Π min(j, P). From K = ⌈P⌉ on f(n + 1)
    /// is f(n) · D / P, so the sum over all n ≥ K is carried along: tail(n) = f(K) g(n − K) +
    /// tail(n − 1) · D / P.
    private static double[] withStation(double[] g, Resource s) {
        int full = (int) Math.ceil(s.units());
        double[] f = new double[Math.min(full, g.length - 1) + 1];
        double logD = Math.log(s.ms());
        for (int n = 1; n < f.length; n++) {
            f[n] = f[n - 1] + logD - Math.log(Math.min(n, s.units()));
        }
        double logRatio = logD - Math.log(s.units());
        double[] sum = new double[g.length];
        double tail = Double.NEGATIVE_INFINITY;
        for (int n = 0; n < g.length; n++) {
            if (n >= full) {
                tail = logSum(tail + logRatio, f[full] + g[n - full]);
            }
            double all = tail;
            for (int k = 0; k <= Math.min(n, full - 1); k++) {
                all = logSum(all, f[k] + g[n - k]);
            }
            sum[n] = all;
        }
        return sum;
    }

    /// Returns ln(e^a + e^b).
    private static double logSum(double a, double b) {
        double more = Math.max(a, b);
        return more == Double.NEGATIVE_INFINITY
                ? more
                : more + Math.log1p(Math.exp(Math.min(a, b) - more));
    }
}
