package dev.jdyno.measure.verdict;

import dev.jdyno.measure.statistics.Interval;
import java.util.Optional;

/// The expected result of a change at one load, the load of the report ({@link
/// dev.jdyno.measure.Recording#reported}). By Little's law `qps` × `rtMs` is the number of requests
/// in flight.
///
/// @param qps requests per second; a bound if {@link Recommendation#atMost}
/// @param rtMs mean response time
/// @param atConcurrency requests in flight: those of the report's load, or more if the change alone
///   gains nothing at that load
/// @param ci95 95 % interval of `qps`. It covers the error of the measurement that the prediction
///   is scaled from. For a recommendation, it also covers what is unknown about the changed
///   service.
public record Expected(double qps, double rtMs, int atConcurrency, Optional<Interval> ci95) {
    /// The same figures with another range of the throughput.
    public Expected within(Interval range) {
        return new Expected(qps, rtMs, atConcurrency, Optional.of(range));
    }

    /// Minimum ratio of the response times, after ÷ before, at which a change counts as not
    /// shortening it.
    private static final double GAINS_BELOW = 0.95;

    /// Computes the figures of both recommendations and what-ifs, so that one change has one
    /// result, within physical limits. The response time is never shorter than that of a request
    /// alone, and throughput never higher than the best at any load.
    ///
    /// @param now the load of the report
    /// @param qpsRatio best throughput at any load, after ÷ before
    /// @param rtRatio response time at that load, after ÷ before; above 0
    /// @param aloneMs response time of a request alone, after the change
    public static Expected of(MeasuredLoad now, double qpsRatio, double rtRatio, double aloneMs) {
        double least = Math.min(now.rtMs(), aloneMs) / now.rtMs();
        double rt = Math.max(rtRatio, least);
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
}
