package dev.jdyno.measure.verdict;

import dev.jdyno.measure.statistics.Interval;
import java.util.Optional;

/// The expected result of a change at one load, the load of the report ({@link
/// dev.jdyno.measure.Recording#reported}). By Little's law `qps` × `rtMs` is the number of requests
/// in flight.
///
/// @param qps requests per second; an upper bound if {@link Recommendation#atMost}
/// @param rtMs mean response time
/// @param atConcurrency requests in flight: those of the load of the report, or more if the change
///   gains nothing at that load
/// @param ci95 95 % interval of `qps`. It covers the error of the measurement from which the
///   prediction is scaled. For a recommendation, it also covers what is unknown about the changed
///   service.
public record Expected(double qps, double rtMs, int atConcurrency, Optional<Interval> ci95) {
    /// The same figures with another range of the throughput.
    public Expected within(Interval range) {
        return new Expected(qps, rtMs, atConcurrency, Optional.of(range));
    }

    /// Ratio of the response times, after ÷ before, from which on a change does not count as
    /// shortening them.
    private static final double GAINS_BELOW = 0.95;

    /// Computes the figures for recommendations and for what-ifs, so that one change has the same
    /// result in both. The figures stay within physical limits. The response time is at least that
    /// of a request alone, and throughput is at most the best at any load.
    ///
    /// @param now the load of the report
    /// @param qpsRatio best throughput at any load, after ÷ before
    /// @param rtRatio response time at that load, after ÷ before; above 0
    /// @param aloneMs response time of a request alone, after the change
    public static Expected of(MeasuredLoad now, double qpsRatio, double rtRatio, double aloneMs) {
        double min = Math.min(now.rtMs(), aloneMs) / now.rtMs();
        double rt = Math.max(rtRatio, min);
        // by Little's law the best throughput needs a certain number of requests in flight; if the
        // response time falls, throughput at the same load rises by the same factor
        boolean needsLoad = rt > GAINS_BELOW && qpsRatio * GAINS_BELOW > 1;
        double qps = needsLoad ? qpsRatio : Math.min(1 / rt, Math.max(1, qpsRatio));
        // failed requests are in flight, too, so fewer requests are served
        double served = now.qps() * now.rtMs() / 1000;
        double load =
                needsLoad ? Math.max(now.concurrency(), served * qps * rt) : now.concurrency();
        return new Expected(
                now.qps() * qps,
                now.rtMs() * (needsLoad ? rt : Math.max(rt, 1 / qps)),
                (int) Math.round(load),
                Optional.of(new Interval(now.qpsCi95().lo() * qps, now.qpsCi95().hi() * qps)));
    }

    /// Minimum ratio of the best throughput at any load to that at the load of the report. From it
    /// on, the change needs more requests in flight to show its gain.
    private static final double HELD_BACK = 1.1;

    /// Fraction of a request by which a computed number in flight may exceed a whole number and
    /// still be rounded down.
    private static final double ROUNDING = 0.05;

    /// Computes the figures like {@link #of}. If the change adds more capacity than the load of the
    /// report can use, they are for the lowest load that uses all of it.
    ///
    /// @param now the load of the report
    /// @param qpsRatio best throughput at any load, after ÷ before
    /// @param rtRatio response time at the load of the report, after ÷ before; above 0
    /// @param aloneMs response time of a request alone, after the change
    public static Expected inUse(
            MeasuredLoad now, double qpsRatio, double rtRatio, double aloneMs) {
        Expected there = of(now, qpsRatio, rtRatio, aloneMs);
        if (now.qps() * qpsRatio < HELD_BACK * there.qps()) {
            return there;
        }
        double qps = now.qps() * qpsRatio;
        double rtMs = Math.max(now.rtMs() * rtRatio, aloneMs);
        // requests that fail are in flight, too
        double served = Math.min(1, now.qps() * now.rtMs() / 1000 / now.concurrency());
        double inFlight = qps * rtMs / 1000 / served;
        int load = Math.max(now.concurrency(), (int) Math.ceil(inFlight - ROUNDING));
        return new Expected(
                qps,
                served * load / qps * 1000,
                load,
                Optional.of(
                        new Interval(
                                now.qpsCi95().lo() * qpsRatio, now.qpsCi95().hi() * qpsRatio)));
    }
}
