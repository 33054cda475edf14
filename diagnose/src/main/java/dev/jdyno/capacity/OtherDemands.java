package dev.jdyno.capacity;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.statistics.Quantiles;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The demands of a request other than CPU, from the rounds with a breakdown.
///
/// Waiting in a queue is not a demand: it results if a demand meets too few units. So remote calls,
/// disk and the like count with their time *below* the knee. The cause whose time *grew* most from
/// below the knee to the plateau is the one that requests queue for.
///
/// @param waits ms per request below the knee by cause; empty without a breakdown there
/// @param limit what the additional requests above the knee queue for
record OtherDemands(Map<Cause, Double> waits, Optional<String> downstream, Limit limit) {
    /// Minimum share of the added response time for a cause to be the queue.
    private static final double QUEUE_SHARE = 0.4;

    static OtherDemands of(List<Round> subKnee, List<Round> plateau, boolean cpuBound) {
        List<Breakdown> low = breakdowns(subKnee);
        List<Breakdown> high = breakdowns(plateau);
        Map<Cause, Double> waits = new EnumMap<>(Cause.class);
        for (Cause c : Cause.values()) {
            double ms = c.isElsewhere() ? median(low, c) : 0;
            if (ms > 0) {
                waits.put(c, ms);
            }
        }
        Limit limit = cpuBound ? new Limit.Cpu() : queue(low, high, waits);
        return new OtherDemands(waits, where(low, Cause.DOWNSTREAM), limit);
    }

    private static Limit queue(
            List<Breakdown> low, List<Breakdown> high, Map<Cause, Double> waits) {
        if (low.isEmpty() || high.isEmpty()) {
            return new Limit.Unknown();
        }
        double outside = unexplained(high) - unexplained(low);
        double all = Math.max(0, outside);
        Cause longest = Cause.OTHER;
        double mostMs = 0;
        for (Cause c : Cause.values()) {
            double grew = median(high, c) - median(low, c);
            all += Math.max(0, grew);
            if (grew > mostMs) {
                longest = c;
                mostMs = grew;
            }
        }
        if (outside > mostMs && outside >= QUEUE_SHARE * all) {
            return new Limit.Places("threads");
        }
        if (mostMs < QUEUE_SHARE * all) {
            return new Limit.Unknown();
        }
        String name = ResourceName.of(longest, where(high, longest)).text();
        return switch (longest) {
            case LOCK, LOGGING, DISK -> new Limit.Lock(name, longest);
            case DOWNSTREAM, DATABASE, DNS, NETWORK -> new Limit.Remote(name);
            case POOL ->
                    waits.entrySet().stream()
                            .max(Map.Entry.comparingByValue())
                            .<Limit>map(w -> new Limit.Pool(name, w.getKey()))
                            .orElseGet(Limit.Unknown::new);
            case CPU, RUN_QUEUE -> new Limit.Cpu();
            case FUTURE ->
                    longestHeld(low, waits)
                            .<Limit>map(held -> new Limit.Pool(name, held))
                            .orElseGet(Limit.Unknown::new);
            case SLEEP, CLASS_LOADING, THREAD_START, GC, SAFEPOINT, JVM_MUTEX, OTHER ->
                    new Limit.Unknown();
        };
    }

    /// Returns the wait in which the workers of an inner executor spend most time, if other threads
    /// wait for their results; empty if that is no wait elsewhere.
    private static Optional<Cause> longestHeld(List<Breakdown> low, Map<Cause, Double> waits) {
        return waits.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .filter(w -> w.getValue() >= median(low, Cause.CPU))
                .map(Map.Entry::getKey);
    }

    private static List<Breakdown> breakdowns(List<Round> rounds) {
        return rounds.stream().flatMap(r -> r.anatomy().stream()).toList();
    }

    private static Optional<String> where(List<Breakdown> breakdowns, Cause cause) {
        return breakdowns.stream()
                .flatMap(a -> a.topN().stream())
                .filter(s -> s.cause() == cause)
                .max((a, b) -> Double.compare(a.ms(), b.ms()))
                .map(Breakdown.Spot::where);
    }

    private static double median(List<Breakdown> breakdowns, Cause cause) {
        return breakdowns.isEmpty()
                ? 0
                : Quantiles.median(breakdowns.stream().mapToDouble(a -> a.ms(cause)).toArray());
    }

    private static double unexplained(List<Breakdown> breakdowns) {
        return Quantiles.median(
                breakdowns.stream().mapToDouble(a -> Math.max(0, a.unexplainedMs())).toArray());
    }
}
