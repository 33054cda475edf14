package dev.jdyno.diagnose.evidence;

import dev.jdyno.measure.thread.ThreadSamples;
import java.util.Optional;

/// When a share says something: of few threads, connections or requests it does not. One thread
/// that was found once is all of the threads found; one connection of one is all connections.
public final class SeenShare {
    /// Sightings of which a share says something: one half of eight is known to ± 0.28 (Wilson's 95
    /// % interval). Ten dumps give as many of 0.8 threads.
    public static final double SIGHTINGS = 8;

    /// Connections or requests, on average, from which they are several. One that waits is the one
    /// request of a client on its way, or a single client's own affair.
    public static final double SEVERAL = 2;

    /// Requests, on average, from which there is a queue at all: less than one is a request that is
    /// found between two of its steps.
    public static final double QUEUE = 1;

    private SeenShare() {}

    /// Whether the mean number was found in enough looks that a share of it says something.
    ///
    /// @param mean number of what is found in one look
    /// @param looks thread dumps, or other looks
    public static boolean isKnown(double mean, int looks) {
        return mean > 0 && mean * looks >= SIGHTINGS;
    }

    /// The same of the threads in use of a diagnostic window.
    public static boolean ofBusyIsKnown(ThreadSamples window) {
        return isKnown(window.busyThreads(), window.dumps());
    }

    /// Why a share of the threads in use of a diagnostic window is not known.
    public static Finding.NotApplicable notKnown(Optional<ThreadSamples> window) {
        return new Finding.NotApplicable(
                window.filter(w -> w.dumps() > 0)
                        .map(w ->
                                Lines.say(
                                        "too few threads in use in %d thread dumps: %.2f on average",
                                        w.dumps(), w.busyThreads()))
                        .orElse("no thread dumps at saturation"));
    }

    /// Whether so many of all wait that it is a queue: a share of them, and at least a whole one.
    public static boolean isQueue(double waiting, double share, double all) {
        return waiting >= Math.max(QUEUE, share * all);
    }
}
