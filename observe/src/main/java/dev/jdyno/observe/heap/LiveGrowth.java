package dev.jdyno.observe.heap;

import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import java.util.Map;
import java.util.Set;

/// The result of several counts of the live objects.
///
/// @param signals growth rates, with the class that best identifies the objects
/// @param steady all classes that grew at the same rate in each interval, named as in a class
///   histogram
public record LiveGrowth(Signals signals, Set<String> steady) {
    /// The result of counts that were not completed.
    ///
    /// @param longestMs the longest stop of the counts that were made
    public static LiveGrowth cost(double longestMs) {
        return new LiveGrowth(new Signals(Map.of(Sign.LIVE_COUNT_PAUSE_MS, longestMs)), Set.of());
    }

    public LiveGrowth {
        steady = Set.copyOf(steady);
    }
}
