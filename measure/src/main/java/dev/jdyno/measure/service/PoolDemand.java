package dev.jdyno.measure.service;

import dev.jdyno.measure.statistics.Interval;
import java.util.List;
import java.util.Optional;

/// The use of one pool while a rate was held.
///
/// @param pool name of the pool, in the service's metrics or in thread dumps
/// @param library library of the pool as thread samples name it; blank for threads of thread dumps
/// @param size number of members that it may have; empty if unknown
/// @param inUse mean number of members in use
/// @param ci95 95 % interval of that mean
/// @param waiting mean number of callers that wait; empty if unknown
/// @param heldMs mean time for which a caller holds a member; empty without a timer
public record PoolDemand(
        String pool,
        String library,
        Optional<Double> size,
        double inUse,
        Interval ci95,
        Optional<Double> waiting,
        Optional<Double> heldMs) {
    public PoolDemand {
        if (!(inUse >= 0) || Double.isInfinite(inUse)) {
            throw new IllegalArgumentException(inUse + " members of " + pool + " in use");
        }
    }

    /// The number of times per second that a caller takes a member, by Little's law; empty without
    /// a timer.
    public Optional<Double> usesPerS() {
        return heldMs.filter(ms -> ms > 0).map(ms -> 1000 * inUse / ms);
    }

    /// The pools of a service at a held rate.
    ///
    /// @param perS requests per second that ended, successful or not
    /// @param framework the framework that runs; empty if it is not known
    /// @param pools pools that were in use; the most used first
    public record Pools(double perS, Optional<Framework> framework, List<PoolDemand> pools) {
        public Pools {
            pools = List.copyOf(pools);
        }
    }
}
