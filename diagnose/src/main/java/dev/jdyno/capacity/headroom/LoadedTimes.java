package dev.jdyno.capacity.headroom;

import dev.jdyno.capacity.OpenQueue;
import dev.jdyno.capacity.OpenQueue.OpenPoint;
import dev.jdyno.capacity.RequestPath;
import dev.jdyno.capacity.Resource;
import dev.jdyno.measure.verdict.Headroom.Known;
import dev.jdyno.measure.verdict.Headroom.Limit;
import dev.jdyno.measure.verdict.Headroom.PoolLimit;
import dev.jdyno.measure.verdict.Headroom.TimeAt;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Response times at higher load. The present queueing for the known resources is replaced by the
/// queueing at that load, by the open model ({@link OpenQueue}). All other parts of the response
/// time stay the same. So do disks: a disk that serves several operations at once is no queue of
/// one unit.
final class LoadedTimes {
    /// Shares of the first limit for which response times are computed. At the limit itself, the
    /// queue grows without end.
    private static final List<Double> SHARES = List.of(0.8, 0.9);

    private LoadedTimes() {}

    /// @param rtMs present mean response time
    static List<TimeAt> of(Limit cpu, List<PoolLimit> pools, Optional<Double> rtMs) {
        List<Known> known =
                Stream.concat(Stream.of(cpu), pools.stream().map(PoolLimit::limit))
                        .flatMap(l -> l instanceof Known k ? Stream.of(k) : Stream.empty())
                        .toList();
        Optional<Known> first = known.stream().min(Comparator.comparingDouble(Known::limitPerS));
        if (first.isEmpty() || rtMs.isEmpty()) {
            return List.of();
        }
        double now = first.get().perS();
        Optional<Double> others = queueingMs(known, now).map(ms -> Math.max(0, rtMs.get() - ms));
        List<TimeAt> times = new ArrayList<>();
        for (double share : SHARES) {
            double perS = share * first.get().limitPerS();
            if (perS > now) {
                others.flatMap(rest -> queueingMs(known, perS).map(ms -> rest + ms))
                        .ifPresent(ms -> times.add(new TimeAt(share, perS, ms)));
            }
        }
        return times;
    }

    /// Returns the mean time for which a request waits for these resources; empty at or above the
    /// limit of one of them.
    private static Optional<Double> queueingMs(List<Known> known, double perS) {
        double sum = 0;
        for (Known k : known) {
            // units that are left for requests, without the base load and other processes
            double units = k.limitPerS() * k.demandMs() / 1000;
            var station = new Resource("", k.demandMs(), units);
            Optional<OpenPoint> point =
                    OpenQueue.of(RequestPath.serial(List.of(station), List.of())).at(perS);
            if (point.isEmpty()) {
                return Optional.empty();
            }
            sum += point.get().queueingMs();
        }
        return Optional.of(sum);
    }
}
