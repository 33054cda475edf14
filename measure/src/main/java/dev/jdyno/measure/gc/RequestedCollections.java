package dev.jdyno.measure.gc;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The collections of a period that the application or a tool requested (`System.gc()`, `jcmd
/// GC.run`, a heap dump). A single request is an event without a rate. For example, a heap dump
/// that takes one of five seconds does not mean that the service is stopped for a fifth of its
/// life.
///
/// @param young requested collections that are not full
/// @param full requested full collections
/// @param causes number of these collections for each of HotSpot's causes
public record RequestedCollections(
        GcActivity.Count young, GcActivity.Count full, Map<String, Long> causes) {
    /// Minimum number of requests for collections from which a rate can be computed.
    private static final long SERIES = 3;

    public RequestedCollections {
        causes = Map.copyOf(causes);
    }

    /// Number of requests for a collection. The Parallel collector answers one request with a young
    /// and a full collection. So only the full ones are counted if there are any.
    public long requests() {
        return full.count() > 0 ? full.count() : young.count();
    }

    /// True if collections were requested, but too few times for a rate.
    public boolean isFew() {
        return requests() > 0 && requests() < SERIES;
    }

    /// The activity without these collections.
    ///
    /// @param all activity of the same period
    /// @param seconds length of the period
    public GcActivity removedFrom(GcActivity all, double seconds) {
        double pauseShare = seconds <= 0 ? 0 : (young.ms() + full.ms()) / 1000 / seconds;
        return new GcActivity(
                less(all.young(), young),
                less(all.full(), full),
                Math.max(0, all.pauseShare() - pauseShare),
                all.allocBytesPerS(),
                all.promotedBytesPerS(),
                all.requestBytes(),
                all.oldUsedBytes(),
                all.oldCapacityBytes(),
                all.detail()
                        .map(d ->
                                new GcDetail(
                                        d.longestPauseMs(),
                                        others(d.causes()),
                                        d.stalledThreads(),
                                        d.afterFull())),
                new GcActivity.Why(
                        others(all.why().causes()),
                        all.why().cycles(),
                        all.why().oldFloorBytes(),
                        all.why().stalledThreads(),
                        all.why().afterFull()));
    }

    private static GcActivity.Count less(GcActivity.Count all, GcActivity.Count these) {
        return new GcActivity.Count(
                Math.max(0, all.count() - these.count()), Math.max(0, all.ms() - these.ms()));
    }

    private Map<String, Long> others(Map<String, Long> all) {
        Map<String, Long> others = new HashMap<>(all);
        others.keySet().removeAll(causes.keySet());
        return others;
    }

    /// The most frequent cause; empty if no collection was requested.
    public Optional<String> cause() {
        return causes.entrySet().stream().max(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
    }
}
