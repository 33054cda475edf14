package dev.jdyno.trial;

import dev.jdyno.inside.RunningCode;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.SampledThreads;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Thread samples of one diagnostic window, collected over the trial. Dumps and the client's counts
/// are added in the window, the data of the recording at the end.
final class WindowDraft {
    private final int concurrency;
    private final double qps;
    private final SampledThreads threads;
    private Signals later;
    private Map<Place, Double> work = Map.of();

    /// @param overhead cost of the window, compared with the round at the same load
    WindowDraft(int concurrency, double qps, SampledThreads threads, Signals overhead) {
        this.concurrency = concurrency;
        this.qps = qps;
        this.threads = threads;
        this.later = overhead;
    }

    int concurrency() {
        return concurrency;
    }

    /// Pools whose threads accept requests.
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

    /// The samples with everything that was added.
    ThreadSamples samples() {
        return threads.at(concurrency, qps, later, work);
    }
}
