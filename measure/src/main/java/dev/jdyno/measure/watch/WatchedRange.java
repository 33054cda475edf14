package dev.jdyno.measure.watch;

import dev.jdyno.measure.verdict.Bottleneck;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The minutes of one service in a range of time, summarised. Means are weighted by the seconds of
/// the minutes that have the figure.
///
/// @param minutes number of minutes that begin in the range
/// @param seconds observed time of these minutes
/// @param verdicts the longest first
/// @param stoppedS seconds for which the service was stopped
/// @param jvms number of JVMs that ran one after another
/// @param lowestHeadroom the minute's headroom with the lowest ratio; empty if no limit was known
/// @param pools the highest use of each pool of known size, the fullest first
/// @param headroom how far the service is from its first limit; empty if it was not computed
public record WatchedRange(
        String service,
        Instant from,
        Instant to,
        int minutes,
        double seconds,
        List<Share> verdicts,
        Means means,
        double stoppedS,
        int jvms,
        Optional<WatchedMinute.Room> lowestHeadroom,
        List<PoolUse> pools,
        Optional<WatchedHeadroom> headroom) {
    public WatchedRange {
        verdicts = List.copyOf(verdicts);
        pools = List.copyOf(pools);
    }

    /// The same range with its headroom.
    public WatchedRange withHeadroom(WatchedHeadroom computed) {
        return new WatchedRange(
                service,
                from,
                to,
                minutes,
                seconds,
                verdicts,
                means,
                stoppedS,
                jvms,
                lowestHeadroom,
                pools,
                Optional.of(computed));
    }

    /// A bottleneck of the range.
    ///
    /// @param where the place of most of its seconds; blank if it has none
    /// @param confidence mean confidence
    public record Share(
            Bottleneck bottleneck, String where, int minutes, double seconds, double confidence) {}

    /// Mean figures; one that no minute has is empty.
    ///
    /// @param cores CPU of the service, in cores
    /// @param utilisation the same as a share of the cores that it could have used
    /// @param perS requests per second
    /// @param meanMs mean response time, weighted by requests
    /// @param cpuMs CPU time of one request, weighted by requests
    /// @param inFlight mean number of requests in the service
    /// @param gcPauseShare share of the time in which the collector stopped the service
    public record Means(
            Optional<Double> cores,
            Optional<Double> utilisation,
            Optional<Double> perS,
            Optional<Double> meanMs,
            Optional<Double> cpuMs,
            Optional<Double> inFlight,
            Optional<Double> gcPauseShare) {}

    /// @param highest highest use of a minute, as a share of the size
    public record PoolUse(String name, double highest) {}
}
