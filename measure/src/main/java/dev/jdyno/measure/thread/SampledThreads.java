package dev.jdyno.measure.thread;

import java.util.List;
import java.util.Map;

/// What one window of thread dumps shows by itself. With the load that the client counts, and what
/// is read after the window, it makes {@link ThreadSamples}, which see for what the values are.
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

    /// The finished thread samples of a load.
    public ThreadSamples at(int concurrency, double qps) {
        return at(concurrency, qps, Signals.NONE, Map.of());
    }

    /// The finished thread samples.
    ///
    /// @param later signals that were read after the window
    /// @param work shares of the CPU by place, where they are known better than by the dumps; else
    ///   empty
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

    /// Mean number of requests found in the service: a thread works on them, a call is under way
    /// for them, or no thread has read them.
    public double requestsFound() {
        return places.requests().busyThreads() + waitingSockets;
    }
}
