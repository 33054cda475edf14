package dev.jdyno.trial;

import dev.jdyno.observe.threads.CompilerLook;
import dev.jdyno.observe.threads.CompilerWatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Some seconds without a request, in which compilers that lacked cores have them: until they have
/// nothing to do, or get no further.
final class CompilerRest {
    private static final double LOOK_SECONDS = 0.5;

    /// The requests under way may take so long before it begins.
    private static final double DRAIN_MOST_SECONDS = 5;

    private CompilerRest() {}

    /// @param seconds it took
    /// @param queued methods that still wait; empty where the queue is not seen
    record Rested(double seconds, Optional<Integer> queued) {}

    /// Takes the load away; the caller applies it again.
    ///
    /// @param mostSeconds it may take
    static Rested of(Loading loading, CompilerWatch watch, double mostSeconds)
            throws InterruptedException {
        long start = loading.clock().nanos();
        loading.drain(Math.min(DRAIN_MOST_SECONDS, mostSeconds));
        double before = loading.clock().secondsSince(start);
        watch.look(before);
        List<CompilerLook> looks = new ArrayList<>();
        while (!loading.stopped() && loading.ground().targetIsAlive()) {
            loading.waitFor(LOOK_SECONDS);
            double now = loading.clock().secondsSince(start);
            looks.add(watch.look(now - before));
            before = now;
            if (new RestEnd(looks).reached() || now >= mostSeconds) {
                break;
            }
        }
        Optional<Integer> queued = looks.isEmpty() ? Optional.empty() : looks.getLast().queued();
        return new Rested(loading.clock().secondsSince(start), queued);
    }
}
