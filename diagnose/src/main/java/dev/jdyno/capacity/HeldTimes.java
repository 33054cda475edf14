package dev.jdyno.capacity;

import dev.jdyno.capacity.RequestPath.Held;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Finds what a request does while it holds the limiting lock or a member of the limiting pool. The
/// parts of a request that is alone cannot add up to more than its response time. If they do, the
/// surplus was counted twice: as a part of its own and within the hold time.
///
/// Under overload, some request holds the lock at any time, so samples show best what it does
/// meanwhile. If the request waits for about the whole hold time, it does nothing else while it
/// holds the lock.
final class HeldTimes {
    /// Minimum surplus, as a share of the response time. A smaller one is within the error of the
    /// parts.
    static final double MIN_SHARE = 0.07;

    /// Maximum ratio of a wait to the surplus at which the wait counts as part of the hold time.
    private static final double SLACK = 1.15;

    /// Maximum relative difference between a wait under overload and the hold time. Up to it, the
    /// wait counts as the whole hold time.
    private static final double WHOLE = 0.3;

    /// Causes that a request can hold while it does other things. A request at a saturated service,
    /// or one that the collector stops, does nothing else.
    private static final Set<Cause> HOLDS =
            Set.of(Cause.LOCK, Cause.POOL, Cause.LOGGING, Cause.DISK);

    private HeldTimes() {}

    /// @param busiest the breakdown at the highest load; empty without one
    /// @param othersCpuMs the part of the station `cpu` that the target does not use
    /// @param minRtMs response time with no other request in the service
    static List<Held> of(
            List<Resource> stations,
            List<Delay> delays,
            Optional<Breakdown> busiest,
            double othersCpuMs,
            double minRtMs) {
        Optional<Resource> holder =
                stations.stream()
                        .filter(HeldTimes::isHold)
                        .min(Comparator.comparingDouble(Resource::maxQps));
        double all =
                stations.stream().mapToDouble(Resource::ms).sum()
                        + delays.stream().mapToDouble(Delay::ms).sum()
                        - othersCpuMs;
        double over = all - minRtMs;
        if (holder.isEmpty() || over < MIN_SHARE * minRtMs) {
            return List.of();
        }
        String by = holder.get().name();
        double holderMs = holder.get().ms();
        Optional<Delay> whole = whole(delays, busiest, holderMs);
        if (whole.isPresent() && over >= holderMs / 2) {
            return List.of(new Held(whole.get().name(), by, whole.get().ms()));
        }
        List<Held> held = new ArrayList<>();
        for (Delay d :
                delays.stream().sorted(Comparator.comparingDouble(Delay::ms).reversed()).toList()) {
            if (d.ms() <= SLACK * Math.min(over, holderMs) && d.ms() > 0) {
                held.add(new Held(d.name(), by, d.ms()));
                over -= d.ms();
                holderMs -= d.ms();
            }
        }
        double cpu =
                stations.stream()
                        .filter(r -> r.name().equals(ServiceModel.CPU))
                        .mapToDouble(r -> Math.max(0, r.ms() - othersCpuMs))
                        .sum();
        double burnt = Math.min(cpu, Math.min(over, holderMs));
        if (burnt >= MIN_SHARE * minRtMs) {
            held.add(new Held(ServiceModel.CPU, by, burnt));
        }
        return held;
    }

    /// True if a resource is the workers of an inner executor for whose results other threads wait.
    static boolean isTasks(String resource) {
        return ResourceName.of(resource).is(Cause.FUTURE);
    }

    /// Returns the main activity of the workers of an inner executor: their longest wait. Parallel
    /// tasks of one request are counted separately. The wait lasts at most as long as all tasks
    /// together.
    ///
    /// @param delays the longest one is reduced to the part that a request waits for
    static List<Held> inTasks(Resource tasks, List<Delay> delays) {
        Optional<Delay> longest = delays.stream().max(Comparator.comparingDouble(Delay::ms));
        return longest.map(
                        d -> {
                            double ms = Math.min(d.ms(), tasks.ms());
                            delays.set(delays.indexOf(d), new Delay(d.name(), ms));
                            return List.of(new Held(d.name(), tasks.name(), ms));
                        })
                .orElseGet(List::of);
    }

    private static boolean isHold(Resource r) {
        return HOLDS.stream().anyMatch(ResourceName.of(r.name())::is);
    }

    private static Optional<Delay> whole(
            List<Delay> delays, Optional<Breakdown> busiest, double holdMs) {
        return busiest.flatMap(a ->
                delays.stream()
                        .filter(d -> d.ms() > 0 && offHold(a, d, holdMs) <= WHOLE)
                        .min(Comparator.comparingDouble(d -> offHold(a, d, holdMs))));
    }

    /// Returns the relative difference between a wait under overload and the hold time of the lock
    /// or pool.
    private static double offHold(Breakdown busiest, Delay d, double holdMs) {
        return Arrays.stream(Cause.values())
                .filter(ResourceName.of(d.name())::is)
                .mapToDouble(c -> Math.abs(busiest.ms(c) / holdMs - 1))
                .min()
                .orElse(Double.POSITIVE_INFINITY);
    }
}
