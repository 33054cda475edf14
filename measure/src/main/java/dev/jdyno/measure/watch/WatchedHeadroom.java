package dev.jdyno.measure.watch;

import dev.jdyno.measure.verdict.Headroom;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// How far a watched service is from its first limit, by the minutes of a range.
///
/// @param minutes number of minutes that count
/// @param leftOut number of minutes that do not count, by reason; without reasons of no minute
/// @param limits limits of the resources, by the utilisation law over the minutes that count
/// @param traffic traffic of the minutes that count; empty if there are none
public record WatchedHeadroom(
        int minutes, Map<LeftOut, Integer> leftOut, Headroom limits, Optional<Traffic> traffic) {
    public WatchedHeadroom {
        var ordered = new EnumMap<LeftOut, Integer>(LeftOut.class);
        ordered.putAll(leftOut);
        leftOut = Collections.unmodifiableMap(ordered);
    }

    /// The traffic of a range, in requests per second.
    ///
    /// @param meanPerS mean of all minutes
    /// @param busiestHour the hour with the highest mean; empty if no hour was recorded without
    ///   larger gaps
    public record Traffic(double meanPerS, Peak busiestMinute, Optional<Peak> busiestHour) {}

    /// @param from begin of the minute or the hour
    public record Peak(Instant from, double perS) {}

    /// Why a minute does not count.
    public enum LeftOut {
        /// The service was stopped in it.
        STOPPED,
        /// It is the last minute of a JVM, or the first one of the next JVM.
        RESTARTED,
        /// Its verdict is `unknown`.
        UNKNOWN,
        /// An earlier JVM had another number of cores.
        OTHER_CORES,
        /// Its requests were counted by another source than those of most minutes.
        OTHER_COUNT,
        /// No source counted requests.
        NOT_COUNTED,
        /// The CPU was not measured.
        NO_CPU,
        /// It is much shorter or longer than a minute.
        LENGTH,
        /// It begins before the minute before it has ended: the wall clock was set back, or the day
        /// file has it twice.
        OVERLAPPING,
        /// A figure is not a number, negative, or too large.
        IMPOSSIBLE;

        /// As in JSON.
        public String key() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /// First limit ÷ mean traffic; empty if no limit is known.
    public Optional<Double> timesMean() {
        return traffic.flatMap(t -> times(t.meanPerS()));
    }

    /// First limit ÷ traffic of the busiest minute; empty if no limit is known.
    public Optional<Double> timesBusiestMinute() {
        return traffic.flatMap(t -> times(t.busiestMinute().perS()));
    }

    /// First limit ÷ traffic of the busiest hour; empty if no limit or no hour is known.
    public Optional<Double> timesBusiestHour() {
        return traffic.flatMap(Traffic::busiestHour).flatMap(hour -> times(hour.perS()));
    }

    private Optional<Double> times(double perS) {
        return limits.first().filter(_ -> perS > 0).map(f -> f.known().limitPerS() / perS);
    }
}
