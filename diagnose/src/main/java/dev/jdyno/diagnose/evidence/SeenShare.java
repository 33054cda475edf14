package dev.jdyno.diagnose.evidence;

import dev.jdyno.measure.thread.ThreadSamples;
import java.util.Optional;

/// Decides whether a share is meaningful. A share of few threads, connections or requests is not:
/// one thread that was found once is 100 % of the threads found.
public final class SeenShare {
    /// Minimum number of sightings for a meaningful share: one half of eight is known to ± 0.28
    /// (Wilson's 95 % interval). Ten dumps give as many sightings of 0.8 threads.
    public static final double SIGHTINGS = 8;

    /// Minimum mean number of connections or requests that counts as several. A single waiting one
    /// can be the one request of a client on its way, or concern a single client only.
    public static final double SEVERAL = 2;

    /// Minimum mean number of requests for a queue. A smaller number is a request that is found
    /// between two of its steps.
    public static final double QUEUE = 1;

    private SeenShare() {}

    /// True if there are enough sightings for a share of them to be meaningful.
    ///
    /// @param mean number of things found in one look
    /// @param looks thread dumps, or other looks
    public static boolean isKnown(double mean, int looks) {
        return mean > 0 && mean * looks >= SIGHTINGS;
    }

    /// True if there are enough sightings of the threads in use of a diagnostic window.
    public static boolean ofBusyIsKnown(ThreadSamples window) {
        return isKnown(window.busyThreads(), window.dumps());
    }

    /// Returns why a share of the threads in use of a diagnostic window is not known.
    public static Finding.NotApplicable notKnown(Optional<ThreadSamples> window) {
        return new Finding.NotApplicable(
                window.filter(w -> w.dumps() > 0)
                        .map(w ->
                                Lines.say(
                                        "too few threads in use in %d thread dumps: %.2f on average",
                                        w.dumps(), w.busyThreads()))
                        .orElse("no thread dumps at saturation"));
    }

    /// True if the waiting requests are a queue: at least one, and at least this share of all.
    public static boolean isQueue(double waiting, double share, double all) {
        return waiting >= Math.max(QUEUE, share * all);
    }
}
