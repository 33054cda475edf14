package dev.jdyno.measure.gc;

import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// Activity of a collector in a stretch of time, as shares that can be compared with {@link
/// GcLimits}. The counters of a round and a GC log fill the same record, so that `run`, `diagnose`
/// and `gc` decide by the same figures.
///
/// @param stopped share of the time in which the collector stopped the application, 0…1
/// @param promoted share of the allocated bytes that moved into the old generation: above 1 if
///   objects are allocated in the old generation directly; empty if unknown
/// @param started causes of the collections; empty if unknown
public record GcFacts(double stopped, Optional<Double> promoted, Optional<Started> started) {

    /// Shares of the collections by cause, 0…1.
    ///
    /// @param asked share of collections requested by the application, a command or an agent
    /// @param inspected share of collections for a class histogram or a heap dump
    /// @param humongous share of collections caused by the allocation of a humongous object
    public record Started(double asked, double inspected, double humongous) {
        /// No collection had a relevant cause.
        public static final Started NONE = new Started(0, 0, 0);

        /// @param causes number of collections of each cause, by HotSpot's name
        /// @param cycles concurrent collections that are not in `causes`
        /// @param askedCycles cycles that the application or a tool requested
        public static Started of(Map<String, Long> causes, long cycles, long askedCycles) {
            long all = cycles + count(causes, _ -> true);
            if (all == 0) {
                return NONE;
            }
            long asked =
                    askedCycles
                            + count(causes, c -> GcCauses.isCalled(c) || GcCauses.isCommanded(c));
            return new Started(
                    (double) asked / all,
                    (double) count(causes, GcCauses::isInspection) / all,
                    (double) count(causes, GcCauses.HUMONGOUS::equals) / all);
        }

        private static long count(Map<String, Long> causes, Predicate<String> of) {
            return causes.entrySet().stream()
                    .filter(e -> of.test(e.getKey()))
                    .mapToLong(Map.Entry::getValue)
                    .sum();
        }
    }

    /// Share of the allocated bytes that moved into the old generation; 0 if unknown.
    public double promotedShare() {
        return promoted.orElse(0.0);
    }

    /// True if survivors overflow.
    public boolean promotes() {
        return promotedShare() >= GcLimits.PROMOTED_SHARE;
    }

    /// True if more bytes arrive in the old generation than the young one allocates, because
    /// objects are allocated there directly.
    public boolean allocatesInOld() {
        return promotedShare() > 1;
    }

    /// Causes of the collections; {@link Started#NONE} if unknown.
    public Started causes() {
        return started.orElse(Started.NONE);
    }
}
