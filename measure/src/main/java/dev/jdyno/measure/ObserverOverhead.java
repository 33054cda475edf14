package dev.jdyno.measure;

import dev.jdyno.measure.statistics.Latency;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Observer overhead of one diagnostic window: its figures compared with the round at the same
/// load. The round is at another time, so these figures include the service's own drift.
///
/// @param qpsRatio throughput in the window ÷ throughput in the round
/// @param p99Ratio 99th percentile of the response time in the window ÷ that in the round; empty if
///   either had no good request
/// @param dumps thread dumps taken
/// @param longestPauseMs the longest stop that a thread dump caused
/// @param stoppedShare share of the window's time that all dumps together stopped the target; empty
///   without dumps
public record ObserverOverhead(
        int concurrency,
        double qpsRatio,
        Optional<Double> p99Ratio,
        int dumps,
        double longestPauseMs,
        Optional<Double> stoppedShare) {
    /// Compares a window with its round, if the round had throughput. The ratios are returned as
    /// signals.
    ///
    /// @param qps throughput in the window
    /// @param window response times in the window
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

    /// The overhead of each window that was compared with a round, in the order of the windows.
    public static List<ObserverOverhead> of(List<ThreadSamples> windows) {
        return windows.stream().flatMap(c -> of(c).stream()).toList();
    }

    private static Optional<ObserverOverhead> of(ThreadSamples threadSamples) {
        return threadSamples
                .signals()
                .of(Sign.EVIDENCE_QPS_RATIO)
                .map(qps ->
                        new ObserverOverhead(
                                threadSamples.concurrency(),
                                qps,
                                threadSamples.signals().of(Sign.EVIDENCE_P99_RATIO),
                                threadSamples.dumps(),
                                threadSamples.longestPauseMs(),
                                threadSamples.signals().of(Sign.OWN_PAUSE_SHARE)));
    }
}
