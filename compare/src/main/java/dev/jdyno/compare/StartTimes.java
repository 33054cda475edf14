package dev.jdyno.compare;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Durations;
import java.util.function.DoubleUnaryOperator;

/// The time that the starts of one comparison take, and how many starts its budget has time for.
final class StartTimes {
    /// Maximum number of pairs per start: starts differ more than the pairs of one start.
    private static final int MAX_PAIRS = 3;

    private final Settings settings;
    private final NanoClock clock;

    /// Time limit in seconds that holds before the minimum number of starts, too.
    private DoubleUnaryOperator limit = _ -> Double.POSITIVE_INFINITY;

    /// Time of the search for the loads, which happens at the first start only.
    private double seekingSeconds;

    private long began;
    private double each;

    StartTimes(Settings settings, NanoClock clock) {
        this.settings = settings;
        this.clock = clock;
    }

    void begin() {
        began = clock.nanos();
    }

    /// @param most seconds, from the expected seconds of a further start
    void limit(DoubleUnaryOperator most) {
        limit = most;
    }

    /// Adds the time of a search for loads.
    ///
    /// @param since the clock's reading at its begin
    void sought(long since) {
        seekingSeconds += clock.secondsSince(since);
    }

    double elapsed() {
        return clock.secondsSince(began);
    }

    /// Notes the end of a start.
    ///
    /// @param starts number of starts so far
    /// @param start the clock's reading at the begin of this start
    void ended(int starts, long start) {
        each = clock.secondsSince(starts == 1 ? start : began) / starts;
    }

    /// Mean seconds of the starts so far, with the search for loads.
    double each() {
        return each;
    }

    /// Expected seconds of a further start: without the search for loads.
    double further(int starts) {
        return (elapsed() - seekingSeconds) / Math.max(1, starts);
    }

    /// Number of starts that the budget has time for, at least the minimum.
    int most(int starts) {
        double left = Durations.seconds(settings.budget()) - elapsed();
        return Math.min(
                settings.maxStarts().orElse(Integer.MAX_VALUE),
                Math.max(starts + (int) Math.max(0, left / each), settings.minStarts()));
    }

    /// True if the minimum number of starts does not fit into the limit.
    boolean isTooShort(int starts) {
        int missing = settings.minStarts() - starts;
        double further = further(starts);
        return missing > 0 && elapsed() + missing * further > limit.applyAsDouble(further);
    }

    /// Number of pairs for each start: more if a start takes long. The best number grows with the
    /// square root of start time ÷ pair time.
    int pairs(double startSeconds) {
        double pairSeconds = 2 * 2 * (Durations.seconds(settings.block()) + 1);
        return Math.clamp(Math.round(Math.sqrt(startSeconds / pairSeconds)), 1, MAX_PAIRS);
    }
}
