package dev.jdyno.diagnose.evidence;

import dev.jdyno.measure.thread.ThreadSamples;
import java.util.Optional;

/// Decides whether a share is meaningful. A share of few threads, connections or requests is not.
/// For example, one thread that was found once is 100 % of the threads found.
public final class SeenShare {
    /// Minimum number of sightings for a meaningful share. With eight sightings, a share of one
    /// half has an error of ± 0.28 (Wilson's 95 % interval). Ten dumps with 0.8 threads on average
    /// give eight sightings.
    public static final double SIGHTINGS = 8;

    /// Minimum mean number of connections or requests that counts as several. A single waiting
    /// connection may belong to a request that is on its way, or concern only one client.
    public static final double SEVERAL = 2;

    /// Minimum mean number of requests for a queue. A smaller number may be a request between two
    /// of its steps.
    public static final double QUEUE = 1;

    private SeenShare() {}

    /// True if there are enough sightings for a share of them to be meaningful.
    ///
    /// @param mean number of threads, connections or requests found in one observation
    /// @param looks number of thread dumps or other observations
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
