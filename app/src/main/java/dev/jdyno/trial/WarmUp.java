package dev.jdyno.trial;

import dev.jdyno.load.pacing.Level;
import dev.jdyno.measure.Slice;
import dev.jdyno.measure.load.LoadPoint;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.plan.Plan;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Load until latency and CPU per request are steady; what was measured meanwhile does not count.
final class WarmUp {
    private final Loading loading;
    private final TrialListener listener;
    private final Windows windows = new Windows(LoadPoint.Part.WARM_UP);
    private double seconds;

    WarmUp(Loading loading, TrialListener listener) {
        this.loading = loading;
        this.listener = listener;
    }

    /// How long it has lasted.
    double seconds() {
        return seconds;
    }

    List<Slice> slices() {
        return windows.slices();
    }

    /// @return that the service was not steady when the time was over
    Optional<Warning> run(Plan.Warmup warmup) throws InterruptedException {
        listener.phase("warming up with " + warmup.concurrency() + " in flight");
        loading.apply(new Level.Closed(warmup.concurrency(), Duration.ZERO));
        long start = loading.clock().nanos();
        loading.take();
        while (loading.slice(windows).isPresent()) {
            seconds = loading.clock().secondsSince(start);
            listener.progress(
                    seconds, Optional.empty(), Optional.of(windows.slices().getLast().qps()));
            boolean longEnough = seconds >= Durations.seconds(warmup.atLeast());
            if (longEnough && Steadiness.reached(windows.slices())) {
                return Optional.empty();
            }
            if (seconds >= Durations.seconds(warmup.atMost())) {
                return Steadiness.missed(
                        windows.slices(),
                        warmup.atMost(),
                        Runtime.getRuntime().availableProcessors());
            }
        }
        return Optional.empty();
    }
}
