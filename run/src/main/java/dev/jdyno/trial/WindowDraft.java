package dev.jdyno.trial;

import dev.jdyno.inside.RunningCode;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.SampledThreads;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Thread samples of one diagnostic window that come together over the trial: in the window what
/// the dumps show and what the client counts, at the end what the recording says.
final class WindowDraft {
    private final int concurrency;
    private final double qps;
    private final SampledThreads threads;
    private Signals later;
    private Map<Place, Double> work = Map.of();

    /// @param overhead what the window cost, beside the round at the same load
    WindowDraft(int concurrency, double qps, SampledThreads threads, Signals overhead) {
        this.concurrency = concurrency;
        this.qps = qps;
        this.threads = threads;
        this.later = overhead;
    }

    int concurrency() {
        return concurrency;
    }

    /// The pools that take requests in.
    Set<String> serving() {
        return threads.places().pools().stream()
                .filter(ThreadSamples.Pool::serving)
                .map(ThreadSamples.Pool::name)
                .collect(Collectors.toSet());
    }

    void add(Signals seen) {
        later = later.and(seen);
    }

    void add(RunningCode code) {
        later = later.and(code.signals());
        work = code.shares();
    }

    /// With all that was added.
    ThreadSamples samples() {
        return threads.at(concurrency, qps, later, work);
    }
}
