package dev.jdyno.trial;

import dev.jdyno.observe.threads.CompilerSample;
import dev.jdyno.observe.threads.CompilerWatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A pause of some seconds without requests, so that the compilers get the cores that they lacked.
/// The rest ends when the compilers have nothing left to do or make no more progress.
final class CompilerRest {
    private static final double SAMPLE_SECONDS = 0.5;

    /// Maximum time for the requests in flight to end before the rest begins.
    private static final double MAX_DRAIN_SECONDS = 5;

    private CompilerRest() {}

    /// @param seconds duration of the rest
    /// @param queued methods still in the queue; empty if the queue is unknown
    record Rested(double seconds, Optional<Integer> queued) {}

    /// Stops the load for the rest. The caller applies it again.
    ///
    /// @param maxSeconds maximum length of the rest
    static Rested of(Loading loading, CompilerWatch watch, double maxSeconds)
            throws InterruptedException {
        long start = loading.clock().nanos();
        loading.drain(Math.min(MAX_DRAIN_SECONDS, maxSeconds));
        double before = loading.clock().secondsSince(start);
        watch.look(before);
        List<CompilerSample> looks = new ArrayList<>();
        while (!loading.stopped() && loading.trialSetup().targetIsAlive()) {
            loading.waitFor(SAMPLE_SECONDS);
            double now = loading.clock().secondsSince(start);
            looks.add(watch.look(now - before));
            before = now;
            if (new RestEnd(looks).reached() || now >= maxSeconds) {
                break;
            }
        }
        Optional<Integer> queued = looks.isEmpty() ? Optional.empty() : looks.getLast().queued();
        return new Rested(loading.clock().secondsSince(start), queued);
    }
}
