package dev.jdyno.capacity;

import static dev.jdyno.capacity.RequestPath.number;

import java.util.Comparator;
import java.util.List;

/// The asymptotic bounds of a closed system (F1–F4; Muntz & Wong 1974, Denning & Buzen 1978). With
/// N requests in flight, throughput is at most N / T_total and at most P_b / D_b; the two lines
/// cross at the knee. No real service exceeds these bounds. Near the knee its throughput is lower,
/// because requests sometimes need the same unit at the same time.
///
/// @param kneeConcurrency F1: N* = (T_total / D_b) · P_b
/// @param maxQps F2: X_max = P_b / D_b, per second
/// @param rtMs T_total, the response time below the knee
/// @param formula both formulas with their figures
public record Bounds(
        double kneeConcurrency, double maxQps, Resource bottleneck, double rtMs, String formula) {

    /// One point of the curve at `n` requests in flight.
    public record LoadPoint(double n, double qps, double rtMs) {}

    /// The limit of one resource if it were the only one: its knee (F1) and throughput at
    /// saturation (F2), from its D and P.
    public record Alone(String resource, double kneeConcurrency, double maxQps) {}

    /// Returns the limit of every resource by itself, the bottleneck first. The limits can differ
    /// much: CPU may need 15 requests to be saturated, and a lock only 3.
    public static List<Alone> alone(RequestPath path) {
        double total = path.totalMs();
        return path.resources().stream()
                .sorted(Comparator.comparingDouble(Resource::maxQps))
                .map(r -> new Alone(r.name(), total / r.ms() * r.units(), r.maxQps()))
                .toList();
    }

    public static Bounds of(RequestPath path) {
        Resource b = path.bottleneck();
        double total = path.totalMs();
        double knee = total / b.ms() * b.units();
        String formula =
                "F1: N* = (T_total / D_%s) * P_%s = ((%s) / %s) * %s = %s; F2: X_max = P / D = %s / %s ms = %s/s"
                        .formatted(
                                kind(b),
                                kind(b),
                                path.totalFormula(),
                                number(b.ms()),
                                number(b.units()),
                                number(knee),
                                number(b.units()),
                                number(b.ms()),
                                number(b.maxQps()));
        return new Bounds(knee, b.maxQps(), b, total, formula);
    }

    /// Returns the name without its place, because the place of a lock would make the formula too
    /// long.
    private static String kind(Resource r) {
        return ResourceName.of(r.name()).kind();
    }

    /// Throughput and response time at concurrency `n`. Below the knee X = N / R (Little's law,
    /// F3); above it R grows with N and X is constant (F4).
    public LoadPoint at(double n) {
        if (!(n > 0)) {
            throw new IllegalArgumentException("concurrency must be positive, not " + n);
        }
        return n <= kneeConcurrency
                ? new LoadPoint(n, n / rtMs * 1000, rtMs)
                : new LoadPoint(n, maxQps, n / kneeConcurrency * rtMs);
    }
}
