package dev.jdyno.trial.watch;

import dev.jdyno.observe.ServerWindow;
import java.util.Optional;

/// Adds the slices of one minute to windows of natural load. When a window is full, the service's
/// own metrics are read, unless the last reading was slow.
final class LoadSlices {
    private final NaturalWindows natural;
    private final OwnMetrics own;
    private final Count count;
    private final boolean byMinute;

    /// jdyno's own count of requests.
    interface Count {
        /// Requests since the last call; empty if they cannot be counted.
        Optional<Double> since() throws InterruptedException;
    }

    /// @param byMinute true if jdyno counts too seldom for windows of seconds: the minute is one
    ///   window
    LoadSlices(NaturalWindows natural, OwnMetrics own, Count count, boolean byMinute) {
        this.natural = natural;
        this.own = own;
        this.count = count;
        this.byMinute = byMinute;
    }

    void add(ServerWindow slice) throws InterruptedException {
        if (!natural.add(slice)) {
            return;
        }
        // counted before the metrics are read, which is a request, too
        Optional<Double> requests = byMinute ? Optional.empty() : count.since();
        if (own.found() && natural.isReadingDue() && own.mayRead()) {
            natural.read(own.look());
        }
        if (!byMinute) {
            natural.close(requests);
        }
    }

    /// Ends the minute. A window that is not full is left out, unless it is the whole minute.
    void end() throws InterruptedException {
        if (byMinute) {
            natural.close(count.since());
        }
    }
}
