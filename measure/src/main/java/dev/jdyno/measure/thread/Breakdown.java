package dev.jdyno.measure.thread;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The response-time breakdown of one request, in ms. The time in a state is the mean number of
/// threads in that state ÷ throughput (Little's law, F3).
///
/// @param perRequestMs time by cause; a missing cause is 0
/// @param topN the single places with the most time, in descending order
/// @param unexplainedMs the client's mean response time minus the sum of all parts: queueing before
///   a thread, the network
/// @param errors errors of the parts that are not measured directly; empty if they are unknown
public record Breakdown(
        Map<Cause, Double> perRequestMs,
        List<Spot> topN,
        double unexplainedMs,
        Optional<Errors> errors) {
    /// Number of standard errors on each side of the mean that contain 95 % of a normal
    /// distribution.
    private static final double WITHIN_95 = 1.96;

    /// Half the widths of 95 % intervals, in ms of one request.
    ///
    /// @param otherMs half width of the part {@link Cause#OTHER}
    /// @param unexplainedMs half width of the remainder, from the errors of the response time and
    ///   of all parts together
    public record Errors(double otherMs, double unexplainedMs) {
        /// Computes the half widths of the 95 % intervals from standard errors.
        public static Errors ofStandardErrors(double otherMs, double unexplainedMs) {
            return new Errors(WITHIN_95 * otherMs, WITHIN_95 * unexplainedMs);
        }
    }

    /// A breakdown with unknown errors.
    public Breakdown(Map<Cause, Double> perRequestMs, List<Spot> topN, double unexplainedMs) {
        this(perRequestMs, topN, unexplainedMs, Optional.empty());
    }

    /// Measurement error of the parts, as a share of the response time; {@link #PARTS_ERROR_MS} is
    /// added. The parts and the response time are measured in different windows, so the sum of the
    /// parts may be larger by this much.
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
