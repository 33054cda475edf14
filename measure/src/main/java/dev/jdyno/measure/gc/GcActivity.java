package dev.jdyno.measure.gc;

import dev.jdyno.measure.statistics.Trend;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What the collector did in one round.
///
/// @param pauseShare share of the round in which the application stood still for the collector
/// @param allocBytesPerS allocation rate
/// @param promotedBytesPerS bytes per second that moved into the old generation (F10)
/// @param requestBytes heap bytes one request allocates (F7)
/// @param oldUsedBytes occupancy of the old generation at the end of the round
/// @param detail what only a flight recording tells; empty without one
/// @param why what set it off and what it left, as far as counters and the GC log tell
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

    /// Full collections of a round from which they come in series.
    private static final long SERIES = 3;

    /// Share of the old generation that it never fell below, from which a single full collection
    /// tells what it leaves.
    private static final double FULL = 0.95;

    /// @param causes looks (50 a second) that found collections since the look before, by the cause
    ///   HotSpot gives: `System.gc()`, `G1 Humongous Allocation`, …
    /// @param cycles concurrent cycles that ended
    /// @param oldFloorBytes the least occupancy of the old generation seen
    /// @param stalledThreads mean number of threads that waited for the collector to free memory
    ///   (allocation stalls of ZGC), from the GC log
    /// @param afterFull the least occupancy of the old generation, in bytes, in each part of the
    ///   time that had full collections, by seconds since its start; for the rules, not kept in
    ///   `result.json`
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

        /// Of a time that was not looked at in parts.
        public Why(
                Map<String, Long> causes,
                long cycles,
                Optional<Double> oldFloorBytes,
                Optional<Double> stalledThreads) {
            this(causes, cycles, oldFloorBytes, stalledThreads, List.of());
        }
    }

    /// Concurrent cycles per second from which one begins when the last one has ended: by their
    /// logs a heap of 128 MB of which 100 stay had 4.0 to 4.2, one of 256 MB of which 230 stay 2.6
    /// to 3.4.
    public static final double CYCLES_PER_SECOND = 0.5;

    /// Share of the old generation that stays in use all the time, from which those cycles free
    /// nothing.
    private static final double FREES_NOTHING = 0.90;

    /// Whether it marks beside the service all the time and frees nothing by it.
    ///
    /// @param seconds in which this was counted
    public boolean marksInVain(double seconds) {
        double floor = why.oldFloorBytes().orElse(0.0);
        return why.cycles() >= CYCLES_PER_SECOND * seconds
                && oldUsedBytes.filter(used -> floor >= FREES_NOTHING * used).isPresent();
    }

    /// What full collections left, in bytes, one after the other: each of them where a recording
    /// knows them, else as often as was looked.
    public List<Trend.Point> leftByFull() {
        return detail.map(GcDetail::afterFull).orElse(why.afterFull());
    }

    /// Collections by cause: the recording's, which counts each, before the counters', which are
    /// looked at now and then.
    public Map<String, Long> causes() {
        return detail.map(GcDetail::causes).orElse(why.causes());
    }

    /// What full collections left of the old generation, in bytes: the least that was seen of it in
    /// a round with so many of them that each was seen, or in one in which it was full all the
    /// time. Empty otherwise, and where it is unknown.
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

    /// What rules compare with the limits of a collector.
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

    /// Mean number of threads that waited for memory; empty when neither source could tell.
    public Optional<Double> stalledThreads() {
        return detail.map(GcDetail::stalledThreads).or(why::stalledThreads);
    }

    /// From counters alone.
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

    /// The same where it is not known what was allocated.
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

    /// @param count collections
    /// @param ms their total pause
    public record Count(long count, double ms) {
        public static final Count NONE = new Count(0, 0);
    }
}
