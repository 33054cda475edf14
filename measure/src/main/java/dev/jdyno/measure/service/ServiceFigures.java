package dev.jdyno.measure.service;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A service's own metrics of one window: the difference of two readings.
///
/// @param concurrency requests in flight of the load in the window
/// @param seconds time from one reading of the metrics to the next
/// @param errorS error of `seconds`: the service reads its counters at an unknown instant between
///   request and answer
/// @param from address from which the metrics were read, without its query
/// @param clientPerS requests per second, successful or not, by jdyno's own count or the access
///   log; empty if there is no other count
/// @param endpoints the largest share of the request time first
/// @param totalPerS requests per second of all endpoints, if the service has one count of them, or
///   if it counts by endpoint and no endpoint had a request: then 0; empty otherwise
/// @param pools the most waiting callers first
public record ServiceFigures(
        int concurrency,
        double seconds,
        double errorS,
        String from,
        Optional<Double> clientPerS,
        List<EndpointFigures> endpoints,
        Optional<Double> totalPerS,
        List<ServicePool> pools) {
    /// Minimum difference of two counts of the same requests, as a share, for which both are shown.
    private static final double COUNTS_DIFFER = 0.02;

    /// Minimum share of the time of all requests for which an endpoint limits the service.
    public static final double LIMITS_FROM = 0.5;

    public ServiceFigures {
        endpoints = List.copyOf(endpoints);
        pools = List.copyOf(pools);
    }

    /// The same figures for another concurrency and another count of requests.
    public ServiceFigures at(int load, Optional<Double> perS) {
        return new ServiceFigures(load, seconds, errorS, from, perS, endpoints, totalPerS, pools);
    }

    /// All requests per second that the service counted: those of its endpoints, or without these
    /// its one count.
    public double perS() {
        return endpoints.isEmpty()
                ? totalPerS.orElse(0.0)
                : endpoints.stream().mapToDouble(EndpointFigures::perS).sum();
    }

    /// True if the service counts requests, even if there was none in this window.
    public boolean countsRequests() {
        return !endpoints.isEmpty() || totalPerS.isPresent();
    }

    /// Mean time of all requests inside the service, in ms; empty if no endpoint has requests.
    public Optional<Double> meanMs() {
        double perS = perS();
        return endpoints.isEmpty() || perS <= 0
                ? Optional.empty()
                : Optional.of(
                        endpoints.stream().mapToDouble(e -> e.perS() * e.meanMs()).sum() / perS);
    }

    /// The service's count of requests ÷ the other count. Empty unless they differ by more than 2 %
    /// plus the error of the window's length.
    public Optional<Double> countsDiffer() {
        return clientPerS
                .filter(other -> other > 0 && perS() > 0)
                .map(other -> perS() / other)
                .filter(ratio -> Math.abs(ratio - 1) > COUNTS_DIFFER + errorS / seconds);
    }

    /// The endpoint that takes at least half of the time of all requests, added up over all
    /// statuses. Empty if the service has only one endpoint.
    public Optional<Limiting> limiting() {
        Map<String, Double> shares = new LinkedHashMap<>();
        for (EndpointFigures e : endpoints) {
            shares.merge(e.name(), e.timeShare(), Double::sum);
        }
        return shares.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .filter(e -> shares.size() > 1 && e.getValue() >= LIMITS_FROM)
                .map(e -> new Limiting(e.getKey(), e.getValue()));
    }

    /// @param timeShare share of the time of all requests, 0…1
    public record Limiting(String endpoint, double timeShare) {}

    /// True if these figures belong to the round with that load and that count of requests.
    public boolean ofRound(int load, double perS) {
        return concurrency == load && clientPerS.filter(x -> x == perS).isPresent();
    }
}
