package dev.jdyno.capacity;

import dev.jdyno.capacity.RequestPath.Held;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Finds what a request does while it holds the lock or the pool's place that limits. A lone
/// request's times cannot add up to more than its response time: what is over was counted twice,
/// once by itself and once as part of the hold.
final class HeldTimes {
    /// A smaller surplus is noise of the parts.
    private static final double LEAST_SHARE = 0.07;

    /// A wait may be this much longer than the surplus and still be the one that is held.
    private static final double SLACK = 1.15;

    private HeldTimes() {}

    /// @param othersCpuMs the part of the station `cpu` that is not the target's
    /// @param minRtMs response time with nobody else in the service
    static List<Held> of(
            List<Resource> stations, List<Delay> delays, double othersCpuMs, double minRtMs) {
        Optional<Resource> holder =
                stations.stream()
                        .filter(r -> !r.name().equals(ServiceModel.CPU))
                        .min(Comparator.comparingDouble(Resource::maxQps));
        double all =
                stations.stream().mapToDouble(Resource::ms).sum()
                        + delays.stream().mapToDouble(Delay::ms).sum()
                        - othersCpuMs;
        double over = all - minRtMs;
        if (holder.isEmpty() || over < LEAST_SHARE * minRtMs) {
            return List.of();
        }
        String by = holder.get().name();
        double room = holder.get().ms();
        List<Held> held = new ArrayList<>();
        for (Delay d :
                delays.stream().sorted(Comparator.comparingDouble(Delay::ms).reversed()).toList()) {
            if (d.ms() <= SLACK * Math.min(over, room) && d.ms() > 0) {
                held.add(new Held(d.name(), by, d.ms()));
                over -= d.ms();
                room -= d.ms();
            }
        }
        double cpu =
                stations.stream()
                        .filter(r -> r.name().equals(ServiceModel.CPU))
                        .mapToDouble(r -> Math.max(0, r.ms() - othersCpuMs))
                        .sum();
        double burnt = Math.min(cpu, Math.min(over, room));
        if (burnt >= LEAST_SHARE * minRtMs) {
            held.add(new Held(ServiceModel.CPU, by, burnt));
        }
        return held;
    }
}
