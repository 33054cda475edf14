package dev.jdyno.measure.thread;

import java.util.List;
import java.util.Map;

/// The result of one window of thread dumps. Together with the load that the client counts, and the
/// data read after the window, it becomes {@link ThreadSamples}, which explains the values.
public record SampledThreads(
        int dumps,
        double longestPauseMs,
        ThreadPlaces places,
        double waitingSockets,
        double listenQueue,
        Signals signals,
        List<PoolQueue> queues,
        List<LayerLimit> limits) {
    public SampledThreads {
        queues = List.copyOf(queues);
        limits = List.copyOf(limits);
    }

    /// The finished thread samples at a load.
    public ThreadSamples at(int concurrency, double qps) {
        return at(concurrency, qps, Signals.NONE, Map.of());
    }

    /// The finished thread samples.
    ///
    /// @param later signals that were read after the end of the window
    /// @param work share of the CPU time at each place in the code, if a better source than the
    ///   dumps gives it; else empty
    public ThreadSamples at(int concurrency, double qps, Signals later, Map<Place, Double> work) {
        ThreadPlaces placed = work.isEmpty() ? places : places.dividedByWork(work);
        return new ThreadSamples(
                concurrency,
                qps,
                dumps,
                longestPauseMs,
                placed.pools(),
                placed.busy(),
                waitingSockets,
                listenQueue,
                placed.calls(),
                signals.and(later),
                queues,
                limits);
    }

    /// Mean number of requests found in the service: a thread works on them, they wait for an open
    /// call, or no thread has read them.
    public double requestsFound() {
        return places.requests().busyThreads() + waitingSockets;
    }
}
