package dev.jdyno.measure.verdict;

import dev.jdyno.measure.statistics.Interval;
import java.util.Optional;

/// The time one request occupies one unit of a resource (D_i), and how many units there are (P_i).
///
/// @param ms D_i; {@link #ci95} is its interval
/// @param ci95 95 %, over rounds and what each is uncertain in itself; empty when nothing told it
/// @param rounds how many rounds it came from; 0 when an older result does not say
/// @param units P_i; infinite for a delay (time waited, not occupied)
/// @param utilisationAtKnee X·D/P at the knee; empty when it came out at more than there is
public record Demand(
        String resource,
        double ms,
        Optional<Interval> ci95,
        int rounds,
        double units,
        Optional<Double> utilisationAtKnee) {
    public Demand(
            String resource,
            double ms,
            Optional<Interval> ci95,
            int rounds,
            double units,
            double utilisationAtKnee) {
        this(resource, ms, ci95, rounds, units, Optional.of(utilisationAtKnee));
    }

    /// The same demand where its interval is not known.
    public Demand withoutInterval() {
        return new Demand(resource, ms, Optional.empty(), rounds, units, utilisationAtKnee);
    }

    /// The same demand where it is not known how much of the resource is used at the knee.
    public Demand withoutUtilisation() {
        return new Demand(resource, ms, ci95, rounds, units, Optional.empty());
    }

    public boolean isDelay() {
        return Double.isInfinite(units);
    }
}
