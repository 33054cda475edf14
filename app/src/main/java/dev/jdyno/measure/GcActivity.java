package dev.jdyno.measure;

import java.util.Optional;

/// What the collector did in one round.
///
/// @param pauseShare share of the round in which the application stood still for the collector
/// @param allocBytesPerS allocation rate
/// @param promotedBytesPerS bytes per second that moved into the old generation (F10)
/// @param requestBytes heap bytes one request allocates (F7)
/// @param oldUsedBytes occupancy of the old generation at the end of the round
/// @param detail what only a flight recording tells; empty without one
public record GcActivity(
        Count young,
        Count full,
        double pauseShare,
        Optional<Double> allocBytesPerS,
        Optional<Double> promotedBytesPerS,
        Optional<Double> requestBytes,
        Optional<Double> oldUsedBytes,
        Optional<Double> oldCapacityBytes,
        Optional<GcDetail> detail) {

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
                Optional.empty());
    }

    /// @param count collections
    /// @param ms their total pause
    public record Count(long count, double ms) {
        public static final Count NONE = new Count(0, 0);
    }
}
