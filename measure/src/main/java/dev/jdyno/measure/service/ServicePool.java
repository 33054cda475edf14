package dev.jdyno.measure.service;

import java.util.Optional;

/// One pool as the service reports it.
///
/// @param pool name of the pool in the service's metrics
/// @param library library of the pool, as thread samples name it: HikariCP, Tomcat, …
/// @param max maximum number of members; empty if it is unlimited or not exposed
/// @param inUse mean number of members in use
/// @param waiting mean number of callers or tasks that wait for a member
/// @param waitMs mean time until a caller gets a member, in ms
/// @param heldMs mean time for which a caller holds a member, in ms
/// @param timeouts number of callers that gave up waiting
public record ServicePool(
        String pool,
        String library,
        Optional<Double> max,
        Optional<Double> inUse,
        Optional<Double> waiting,
        Optional<Double> waitMs,
        Optional<Double> heldMs,
        Optional<Long> timeouts) {
    /// Share of the members in use, 0…1; empty if either number is unknown.
    public Optional<Double> use() {
        return max.filter(m -> m > 0).flatMap(m -> inUse.map(n -> Math.min(1, n / m)));
    }

    /// True if the pool was in use, or a caller waited for it.
    public boolean works() {
        return inUse.orElse(0.0) > 0 || waiting.orElse(0.0) > 0;
    }
}
