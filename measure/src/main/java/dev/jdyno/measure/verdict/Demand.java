package dev.jdyno.measure.verdict;

import dev.jdyno.measure.statistics.Interval;
import java.util.List;
import java.util.Optional;

/// The time one request occupies one unit of a resource (D_i), and how many units there are (P_i).
///
/// @param ms D_i; {@link #ci95} is its interval
/// @param ci95 95 %, over rounds and what each is uncertain in itself; empty when nothing told it
/// @param rounds how many rounds it came from; 0 when an older result does not say
/// @param units P_i; infinite for a delay (time waited, not occupied)
/// @param utilisationAtKnee X·D/P at the knee; empty when it came out at more than there is
/// @param sources that saw this demand, where there were several: D_i is their weighted mean
public record Demand(
        String resource,
        double ms,
        Optional<Interval> ci95,
        int rounds,
        double units,
        Optional<Double> utilisationAtKnee,
        List<Source> sources) {

    /// One of several sources of a demand.
    ///
    /// @param ms D_i by this source
    /// @param standardErrorMs of `ms`
    /// @param weight its part in the demand, 0…1
    /// @param reason of that weight
    public record Source(
            Kind kind, double ms, double standardErrorMs, double weight, Reason reason) {
        /// What saw it.
        public enum Kind {
            /// Mean threads found in the wait ÷ throughput (Little).
            THREAD_DUMPS("thread-dumps"),
            /// Sum of the waits ÷ requests.
            FLIGHT_RECORDING("flight-recording"),
            /// Units that the pool itself reports ÷ throughput at saturation (F2).
            REPORTED_SIZE("reported-size"),
            /// A whole number of units ÷ throughput at saturation (F2).
            THROUGHPUT("throughput");

            private final String key;

            Kind(String key) {
                this.key = key;
            }

            /// As in JSON.
            public String key() {
                return key;
            }
        }

        /// Why it has its weight.
        public enum Reason {
            /// Each source weighs by the inverse of its variance.
            STANDARD_ERROR("standard-error"),
            /// The recording drops waits below its threshold, and these are near it.
            SHORT_WAITS("short-waits"),
            /// They lie more than three standard errors apart.
            SOURCES_DISAGREE("sources-disagree"),
            /// A pool has whole units: with as many F2 gives the time more exactly.
            WHOLE_UNITS("whole-units"),
            /// The pool reports its size, and that all of it is in use.
            SIZE_REPORTED("size-reported");

            private final String key;

            Reason(String key) {
                this.key = key;
            }

            /// As in JSON.
            public String key() {
                return key;
            }
        }
    }

    public Demand {
        sources = List.copyOf(sources);
    }

    /// A demand that one source saw.
    public Demand(
            String resource,
            double ms,
            Optional<Interval> ci95,
            int rounds,
            double units,
            double utilisationAtKnee) {
        this(resource, ms, ci95, rounds, units, Optional.of(utilisationAtKnee), List.of());
    }

    /// The same demand where its interval is not known.
    public Demand withoutInterval() {
        return new Demand(
                resource, ms, Optional.empty(), rounds, units, utilisationAtKnee, sources);
    }

    /// The same demand where it is not known how much of the resource is used at the knee.
    public Demand withoutUtilisation() {
        return new Demand(resource, ms, ci95, rounds, units, Optional.empty(), sources);
    }

    /// The same demand with what it was made of.
    public Demand from(List<Source> seenBy) {
        return new Demand(resource, ms, ci95, rounds, units, utilisationAtKnee, seenBy);
    }

    public boolean isDelay() {
        return Double.isInfinite(units);
    }
}
