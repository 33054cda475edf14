package dev.jdyno.measure.thread;

import java.util.List;

/// Thread samples with one part changed.
public final class SamplesVariant {
    private SamplesVariant() {}

    public static ThreadSamples withCalls(ThreadSamples of, Calls... calls) {
        return of(
                of,
                ThreadPlaces.dividedByCalls(of.pools(), of.busy(), List.of(calls)),
                of.signals(),
                of.queues(),
                of.limits());
    }

    public static ThreadSamples withPools(ThreadSamples of, ThreadSamples.Pool... pools) {
        return of(
                of,
                new ThreadPlaces(List.of(pools), of.busy(), of.calls()),
                of.signals(),
                of.queues(),
                of.limits());
    }

    public static ThreadSamples withBusy(ThreadSamples of, List<ThreadSamples.Busy> busy) {
        return of(
                of,
                new ThreadPlaces(of.pools(), busy, of.calls()),
                of.signals(),
                of.queues(),
                of.limits());
    }

    public static ThreadSamples withSignals(ThreadSamples of, Signals signals) {
        return of(of, of.places(), signals, of.queues(), of.limits());
    }

    public static ThreadSamples withQueues(ThreadSamples of, PoolQueue... queues) {
        return of(of, of.places(), of.signals(), List.of(queues), of.limits());
    }

    public static ThreadSamples withLimits(ThreadSamples of, List<LayerLimit> limits) {
        return of(of, of.places(), of.signals(), of.queues(), limits);
    }

    private static ThreadSamples of(
            ThreadSamples of,
            ThreadPlaces places,
            Signals signals,
            List<PoolQueue> queues,
            List<LayerLimit> limits) {
        return new SampledThreads(
                        of.dumps(),
                        of.longestPauseMs(),
                        places,
                        of.waitingSockets(),
                        of.listenQueue(),
                        signals,
                        queues,
                        limits)
                .at(of.concurrency(), of.qps());
    }
}
