package dev.jdyno.observe.heap;

import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import java.util.Map;
import java.util.Set;

/// What several counts of the live objects say.
///
/// @param signals how fast they grow, with the class that best says what they are
/// @param steady all classes of which as many were added in each interval, as a class histogram
///   names them
public record LiveGrowth(Signals signals, Set<String> steady) {
    /// Nothing was counted to the end.
    ///
    /// @param longestMs the longest stop of the counts that were made
    public static LiveGrowth cost(double longestMs) {
        return new LiveGrowth(new Signals(Map.of(Sign.LIVE_COUNT_PAUSE_MS, longestMs)), Set.of());
    }

    public LiveGrowth {
        steady = Set.copyOf(steady);
    }
}
