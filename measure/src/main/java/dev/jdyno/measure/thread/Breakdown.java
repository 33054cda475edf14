package dev.jdyno.measure.thread;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The response-time breakdown of one request, in ms: the mean number of threads in use in a state
/// ÷ QPS gives ms per request (Little, F3).
///
/// @param perRequestMs time by cause; a missing cause is 0
/// @param topN the largest single places, largest first
/// @param unexplainedMs the client's mean RT minus the sum: queueing before a thread, the network
/// @param errors of the parts that nothing measures by themselves; empty where they are unknown
public record Breakdown(
        Map<Cause, Double> perRequestMs,
        List<Spot> topN,
        double unexplainedMs,
        Optional<Errors> errors) {
    /// Standard errors on each side of the middle that hold 95 % of a normal distribution.
    private static final double WITHIN_95 = 1.96;

    /// Half the widths of 95 % intervals, in ms of one request.
    ///
    /// @param otherMs of the part {@link Cause#OTHER}
    /// @param unexplainedMs of the remainder: the errors of the response time and of all parts
    ///   together
    public record Errors(double otherMs, double unexplainedMs) {
        /// From standard errors.
        public static Errors ofStandardErrors(double otherMs, double unexplainedMs) {
            return new Errors(WITHIN_95 * otherMs, WITHIN_95 * unexplainedMs);
        }
    }

    /// A breakdown with unknown errors.
    public Breakdown(Map<Cause, Double> perRequestMs, List<Spot> topN, double unexplainedMs) {
        this(perRequestMs, topN, unexplainedMs, Optional.empty());
    }

    /// Measurement error of the parts, as a share of the response time and in ms. Parts are counted
    /// in another window than the response time, so their sum may exceed it by this much.
    private static final double PARTS_ERROR = 0.15;

    private static final double PARTS_ERROR_MS = 0.1;

    /// Maximum sum of the parts of a response time, with their measurement error.
    public static double mostMs(double rtMeanMs) {
        return rtMeanMs * (1 + PARTS_ERROR) + PARTS_ERROR_MS;
    }

    /// One place: a lock's class, a pool, a host:port, a method.
    public record Spot(Cause cause, Place place, double ms) {
        /// The place as text.
        public String where() {
            return place.text();
        }
    }

    public Breakdown {
        perRequestMs = Map.copyOf(perRequestMs);
        topN = List.copyOf(topN);
    }

    public double ms(Cause cause) {
        return perRequestMs.getOrDefault(cause, 0.0);
    }

    public double sumMs() {
        return perRequestMs.values().stream().mapToDouble(Double::doubleValue).sum();
    }
}
