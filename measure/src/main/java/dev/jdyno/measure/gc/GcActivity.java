package dev.jdyno.measure.gc;

import dev.jdyno.measure.statistics.Trend;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Activity of the collector in one round.
///
/// @param pauseShare share of the round in which the collector stopped the application
/// @param allocBytesPerS allocation rate
/// @param promotedBytesPerS bytes per second that moved into the old generation, for the hours to
///   the next full collection (F10)
/// @param requestBytes heap bytes that one request allocates (request memory, F7)
/// @param oldUsedBytes occupancy of the old generation at the end of the round
/// @param detail figures that only a flight recording contains; empty without one
/// @param why causes and results of collections, from counters and the GC log
public record GcActivity(
        Count young,
        Count full,
        double pauseShare,
        Optional<Double> allocBytesPerS,
        Optional<Double> promotedBytesPerS,
        Optional<Double> requestBytes,
        Optional<Double> oldUsedBytes,
        Optional<Double> oldCapacityBytes,
        Optional<GcDetail> detail,
        Why why) {

    /// Minimum number of full collections in a round for the lowest observed occupancy to show what
    /// they leave in use.
    private static final long SERIES = 3;

    /// Minimum occupancy of the old generation throughout the round, as a share of its capacity.
    /// Above it, a single full collection shows how much memory it leaves in use.
    private static final double FULL = 0.95;

    /// @param causes number of observations (50 per second) that found new collections, by
    ///   HotSpot's name of the cause: `System.gc()`, `G1 Humongous Allocation`, …
    /// @param cycles concurrent cycles that ended
    /// @param oldFloorBytes the lowest observed occupancy of the old generation
    /// @param stalledThreads mean number of threads that waited for the collector to free memory
    ///   (allocation stalls of ZGC), from the GC log
    /// @param afterFull for each part of the observed time with full collections: its seconds since
    ///   the start, and the lowest occupancy of the old generation in bytes. Only rules use it;
    ///   `result.json` does not contain it.
    public record Why(
            Map<String, Long> causes,
            long cycles,
            Optional<Double> oldFloorBytes,
            Optional<Double> stalledThreads,
            List<Trend.Point> afterFull) {
        public static final Why UNKNOWN = new Why(Map.of(), 0, Optional.empty(), Optional.empty());

        public Why {
            causes = Map.copyOf(causes);
            afterFull = List.copyOf(afterFull);
        }

        /// Causes of collections in a time that was observed as a whole, not in parts.
        public Why(
                Map<String, Long> causes,
                long cycles,
                Optional<Double> oldFloorBytes,
                Optional<Double> stalledThreads) {
            this(causes, cycles, oldFloorBytes, stalledThreads, List.of());
        }
    }

    /// Minimum number of concurrent cycles per second for back-to-back cycles, which begin as soon
    /// as the previous one has ended. In GC logs, a heap of 128 MB with 100 MB live had 4.0 to 4.2
    /// cycles per second. A heap of 256 MB with 230 MB live had 2.6 to 3.4.
    public static final double CYCLES_PER_SECOND = 0.5;

    /// Minimum share of the old generation's used bytes that stays in use all the time. From this
    /// share on, back-to-back cycles free almost nothing.
    private static final double FREES_NOTHING = 0.90;

    /// True if the collector marks concurrently all the time and frees almost nothing.
    ///
    /// @param seconds length of the time that was counted
    public boolean marksInVain(double seconds) {
        double floor = why.oldFloorBytes().orElse(0.0);
        return why.cycles() >= CYCLES_PER_SECOND * seconds
                && oldUsedBytes.filter(used -> floor >= FREES_NOTHING * used).isPresent();
    }

    /// Live bytes after full collections, in order. One value per collection if a recording
    /// contains them, else one per observation.
    public List<Trend.Point> leftByFull() {
        return detail.map(GcDetail::afterFull).orElse(why.afterFull());
    }

    /// Collections by cause. A recording counts each of them, so it has precedence over the
    /// counters, which are sampled.
    public Map<String, Long> causes() {
        return detail.map(GcDetail::causes).orElse(why.causes());
    }

    /// Bytes that full collections left in the old generation: its lowest observed occupancy. Empty
    /// unless the round had enough full collections for the samples to include them, or the old
    /// generation was full all the time.
    public Optional<Double> afterFullBytes() {
        boolean leftItFull =
                full.count() > 0
                        && why.oldFloorBytes().orElse(0.0)
                                >= FULL * oldCapacityBytes.orElse(Double.POSITIVE_INFINITY);
        return full.count() >= SERIES || leftItFull ? why.oldFloorBytes() : Optional.empty();
    }

    /// Share of the collections that had this cause, 0…1; 0 without collections.
    public double causeShare(String cause) {
        long all = causes().values().stream().mapToLong(Long::longValue).sum();
        return all == 0 ? 0 : causes().getOrDefault(cause, 0L) / (double) all;
    }

    /// The facts that rules compare with the limits of a collector.
    public GcFacts facts() {
        Map<String, Long> causes = causes();
        return new GcFacts(
                pauseShare,
                allocBytesPerS
                        .filter(allocated -> allocated > 0)
                        .flatMap(allocated -> promotedBytesPerS.map(p -> p / allocated)),
                causes.isEmpty()
                        ? Optional.empty()
                        : Optional.of(GcFacts.Started.of(causes, 0, 0)));
    }

    /// Mean number of threads that waited for memory; empty if neither the recording nor the GC log
    /// contains it.
    public Optional<Double> stalledThreads() {
        return detail.map(GcDetail::stalledThreads).or(why::stalledThreads);
    }

    /// Activity from counters only.
    public GcActivity(
            Count young,
            Count full,
            double pauseShare,
            Optional<Double> allocBytesPerS,
            Optional<Double> promotedBytesPerS,
            Optional<Double> requestBytes,
            Optional<Double> oldUsedBytes,
            Optional<Double> oldCapacityBytes) {
        this(
                young,
                full,
                pauseShare,
                allocBytesPerS,
                promotedBytesPerS,
                requestBytes,
                oldUsedBytes,
                oldCapacityBytes,
                Optional.empty(),
                Why.UNKNOWN);
    }

    /// The same activity with unknown allocation.
    public GcActivity withoutAllocation() {
        return new GcActivity(
                young,
                full,
                pauseShare,
                Optional.empty(),
                promotedBytesPerS,
                Optional.empty(),
                oldUsedBytes,
                oldCapacityBytes,
                detail,
                why);
    }

    /// @param count number of collections
    public record Count(long count, double ms) {
        public static final Count NONE = new Count(0, 0);
    }
}
