package dev.jdyno.measure.verdict;

import dev.jdyno.measure.statistics.Interval;
import java.util.Optional;

/// What a change should give at one load, the one that the report is about ({@link
/// dev.jdyno.measure.Recording#reported}). By Little's law `qps` × `rtMs` is what is in flight.
///
/// @param qps requests per second; a bound where {@link Recommendation#atMost}
/// @param rtMs mean response time
/// @param atConcurrency requests in flight: those of the reported load; more where the change alone
///   gains nothing at that load
/// @param ci95 of `qps`, 95 %: from the measurement that the prediction is scaled from, and, of a
///   recommendation, from what is not known of the service after the change
public record Expected(double qps, double rtMs, int atConcurrency, Optional<Interval> ci95) {
    /// The same figures with another range of the throughput.
    public Expected within(Interval range) {
        return new Expected(qps, rtMs, atConcurrency, Optional.of(range));
    }

    /// Ratio of the response time from which a change does not shorten it.
    private static final double GAINS_BELOW = 0.95;

    /// Recommendations and what-ifs alike come by their figures here: one change has one result,
    /// and none is better than physics allows. The response time is no shorter than that of a
    /// request which is alone, and throughput no higher than the best at any load.
    ///
    /// @param now the reported load
    /// @param qpsRatio best throughput at any load, after ÷ before
    /// @param rtRatio response time at that load, after ÷ before; above 0
    /// @param aloneMs response time of a request that is alone, after the change
    public static Expected of(MeasuredLoad now, double qpsRatio, double rtRatio, double aloneMs) {
        double least = Math.min(now.rtMs(), aloneMs) / now.rtMs();
        double rt = Math.max(rtRatio, least);
        // the best throughput is reached with as many in flight as it needs by Little's law; where
        // the response time falls, the same load gains as much as it falls
        boolean needsLoad = rt > GAINS_BELOW && qpsRatio * GAINS_BELOW > 1;
        double qps = needsLoad ? qpsRatio : Math.min(1 / rt, Math.max(1, qpsRatio));
        double load = needsLoad ? now.concurrency() * qps * rt : now.concurrency();
        return new Expected(
                now.qps() * qps,
                now.rtMs() * (needsLoad ? rt : Math.max(rt, 1 / qps)),
                (int) Math.round(load),
                Optional.of(new Interval(now.qpsCi95().lo() * qps, now.qpsCi95().hi() * qps)));
    }
}
