package dev.jdyno.capacity.headroom;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The requests of a service and its use of resources in a few seconds of natural load.
///
/// @param seconds length of the window
/// @param requests requests that ended in it
/// @param cores CPU of the process, in cores
/// @param availableCores cores that the process could have had, at least `cores`
/// @param allCores cores that the process may use at all, by machine, affinity and quota, at least
///   `availableCores`; empty if they are unknown
/// @param pools pools whose use and size the service reports
/// @param disks disks with the service's files
/// @param endpoints requests by endpoint; some or all may be missing
public record LoadWindow(
        double seconds,
        double requests,
        double cores,
        double availableCores,
        Optional<Double> allCores,
        List<PoolUse> pools,
        List<DiskBusy> disks,
        Map<String, Double> endpoints) {
    public LoadWindow {
        if (!(seconds > 0) || !(requests >= 0) || !(cores >= 0) || !(availableCores >= cores)) {
            throw new IllegalArgumentException(
                    "%s requests and %s of %s cores in %s s"
                            .formatted(requests, cores, availableCores, seconds));
        }
        if (!allCores.stream().allMatch(all -> all >= availableCores)) {
            throw new IllegalArgumentException(
                    "%s of %s cores available".formatted(availableCores, allCores));
        }
        pools = List.copyOf(pools);
        disks = List.copyOf(disks);
        endpoints = Map.copyOf(endpoints);
        if (!endpoints.values().stream().allMatch(n -> n >= 0 && Double.isFinite(n))) {
            throw new IllegalArgumentException("requests of endpoints: " + endpoints);
        }
    }

    /// A window in which neither disks nor endpoints were observed, and no other process used the
    /// cores.
    public LoadWindow(
            double seconds,
            double requests,
            double cores,
            double availableCores,
            List<PoolUse> pools) {
        this(
                seconds,
                requests,
                cores,
                availableCores,
                Optional.of(availableCores),
                pools,
                List.of(),
                Map.of());
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

    Optional<DiskBusy> disk(String device) {
        return disks.stream().filter(d -> d.device().equals(device)).findFirst();
    }

    /// Returns the two windows joined to one. A pool or disk that only one of them has is left out.
    LoadWindow and(LoadWindow next) {
        return new LoadWindow(
                seconds + next.seconds,
                requests + next.requests,
                mean(cores, next.cores, next),
                mean(availableCores, next.availableCores, next),
                allCores.flatMap(all -> next.allCores.map(its -> mean(all, its, next))),
                pools.stream()
                        .flatMap(p ->
                                next.pool(p).stream()
                                        .map(n ->
                                                new PoolUse(
                                                        p.name(),
                                                        p.library(),
                                                        mean(p.inUse(), n.inUse(), next),
                                                        mean(p.size(), n.size(), next))))
                        .toList(),
                disks.stream()
                        .flatMap(d ->
                                next.disk(d.device()).stream()
                                        .map(n ->
                                                new DiskBusy(
                                                        d.device(),
                                                        mean(d.share(), n.share(), next))))
                        .toList(),
                both(endpoints, next.endpoints));
    }

    private static Map<String, Double> both(Map<String, Double> mine, Map<String, Double> its) {
        Map<String, Double> sum = new HashMap<>(mine);
        its.forEach((name, n) -> sum.merge(name, n, Double::sum));
        return sum;
    }

    private double mean(double mine, double its, LoadWindow next) {
        return (mine * seconds + its * next.seconds) / (seconds + next.seconds);
    }
}
