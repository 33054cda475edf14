package dev.jdyno.measure;

import dev.jdyno.measure.statistics.Latency;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What taking diagnostic windows cost the target in one diagnostic window, beside the round at the
/// same load. The round is not the same moment: what the service drifts by itself is in these
/// figures, too.
///
/// @param qpsRatio throughput in the window ÷ in the round
/// @param p99Ratio the 99th percentile likewise; empty where one of them had no good request
/// @param dumps thread dumps taken
/// @param longestPauseMs the longest stop that one of them caused
/// @param stoppedShare of the window's time, by all of them; empty without dumps
public record ObserverOverhead(
        int concurrency,
        double qpsRatio,
        Optional<Double> p99Ratio,
        int dumps,
        double longestPauseMs,
        Optional<Double> stoppedShare) {
    /// The comparison of a window with its round, where that served anything, as signals.
    ///
    /// @param qps throughput in the window
    /// @param window response times in it
    public static Signals signals(double qps, Round round, Latency window) {
        Map<Sign, Double> signs = new EnumMap<>(Sign.class);
        if (round.qps() > 0) {
            signs.put(Sign.EVIDENCE_QPS_RATIO, qps / round.qps());
        }
        if (round.rtMs().p99() > 0 && window.p99() > 0) {
            signs.put(Sign.EVIDENCE_P99_RATIO, window.p99() / round.rtMs().p99());
        }
        return new Signals(signs);
    }

    /// Of the windows that were compared with a round, in their order.
    public static List<ObserverOverhead> of(List<ThreadSamples> windows) {
        return windows.stream().flatMap(c -> of(c).stream()).toList();
    }

    private static Optional<ObserverOverhead> of(ThreadSamples census) {
        return census.signals()
                .of(Sign.EVIDENCE_QPS_RATIO)
                .map(qps ->
                        new ObserverOverhead(
                                census.concurrency(),
                                qps,
                                census.signals().of(Sign.EVIDENCE_P99_RATIO),
                                census.dumps(),
                                census.longestPauseMs(),
                                census.signals().of(Sign.OWN_PAUSE_SHARE)));
    }
}
