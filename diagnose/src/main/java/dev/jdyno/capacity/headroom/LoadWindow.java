package dev.jdyno.capacity.headroom;

import java.util.List;
import java.util.Optional;

/// The requests of a service and its use of resources in a few seconds of natural load.
///
/// @param seconds length of the window
/// @param requests requests that ended in it
/// @param cores CPU of the process, in cores
/// @param availableCores cores that the process could have had, at least `cores`
/// @param pools pools whose use and size the service reports
public record LoadWindow(
        double seconds, double requests, double cores, double availableCores, List<PoolUse> pools) {
    public LoadWindow {
        if (!(seconds > 0) || !(requests >= 0) || !(cores >= 0) || !(availableCores >= cores)) {
            throw new IllegalArgumentException(
                    "%s requests and %s of %s cores in %s s"
                            .formatted(requests, cores, availableCores, seconds));
        }
        pools = List.copyOf(pools);
    }

    /// A window of a service that reports no pool.
    public LoadWindow(double seconds, double requests, double cores, double availableCores) {
        this(seconds, requests, cores, availableCores, List.of());
    }

    double perS() {
        return requests / seconds;
    }

    Optional<PoolUse> pool(PoolUse like) {
        return pools.stream().filter(like::isSame).findFirst();
    }

    /// Returns the two windows joined to one. A pool that only one of them has is left out.
    LoadWindow and(LoadWindow next) {
        return new LoadWindow(
                seconds + next.seconds,
                requests + next.requests,
                mean(cores, next.cores, next),
                mean(availableCores, next.availableCores, next),
                pools.stream()
                        .flatMap(p ->
                                next.pool(p).stream()
                                        .map(n ->
                                                new PoolUse(
                                                        p.name(),
                                                        p.library(),
                                                        mean(p.inUse(), n.inUse(), next),
                                                        mean(p.size(), n.size(), next))))
                        .toList());
    }

    private double mean(double mine, double its, LoadWindow next) {
        return (mine * seconds + its * next.seconds) / (seconds + next.seconds);
    }
}
