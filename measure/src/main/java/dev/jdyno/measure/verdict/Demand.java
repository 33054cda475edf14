package dev.jdyno.measure.verdict;

import dev.jdyno.measure.statistics.Interval;
import java.util.List;
import java.util.Optional;

/// The time for which one request occupies one unit of a resource (D_i), and the number of units
/// (P_i).
///
/// @param ms D_i; {@link #ci95} is its interval
/// @param ci95 95 % interval, from the variation over rounds and the error of each measurement;
///   empty when it is unknown
/// @param rounds number of rounds it was computed from; 0 if an older result does not contain it
/// @param units P_i; infinite for a delay (time waited, not occupied)
/// @param utilisationAtKnee X·D/P at the knee; empty if the computed use exceeded the units
/// @param sources sources of this demand, if there were several: D_i is their weighted mean
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
    /// @param standardErrorMs standard error of `ms`
    /// @param weight weight of the source in the mean, 0…1
    /// @param reason reason for that weight
    public record Source(
            Kind kind, double ms, double standardErrorMs, double weight, Reason reason) {
        /// How the demand was measured.
        public enum Kind {
            /// Mean number of threads found waiting ÷ throughput (Little's law, F3).
            THREAD_DUMPS("thread-dumps"),
            /// Sum of the waits ÷ requests.
            FLIGHT_RECORDING("flight-recording"),
            /// Units that the pool itself reports ÷ throughput at saturation (F2: throughput at
            /// saturation = units ÷ demand).
            REPORTED_SIZE("reported-size"),
            /// A whole number of units ÷ throughput at saturation (F2).
            THROUGHPUT("throughput"),
            /// Threads in the thread dumps that may hold a unit ÷ throughput, both at saturation
            /// (F2).
            HOLDERS("holders");

            private final String key;

            Kind(String key) {
                this.key = key;
            }

            /// The key in JSON.
            public String key() {
                return key;
            }
        }

        /// The reason for a weight.
        public enum Reason {
            /// The weight of each source is the inverse of its variance.
            STANDARD_ERROR("standard-error"),
            /// The recording omits waits below its threshold, and the waits of this resource are
            /// near the threshold.
            SHORT_WAITS("short-waits"),
            /// The demands of the sources differ by more than three standard errors.
            SOURCES_DISAGREE("sources-disagree"),
            /// A pool has a whole number of units. With that number the law of throughput at
            /// saturation (F2) gives a more exact demand.
            WHOLE_UNITS("whole-units"),
            /// The pool reports its size, and also that all its members are in use.
            SIZE_REPORTED("size-reported"),
            /// The time of a single request predicts a number of threads that hold units of this
            /// resource. The thread dumps at saturation show a different number.
            HOLDERS_SEEN("holders-seen");

            private final String key;

            Reason(String key) {
                this.key = key;
            }

            /// The key in JSON.
            public String key() {
                return key;
            }
        }
    }

    public Demand {
        sources = List.copyOf(sources);
    }

    /// A demand from one source.
    public Demand(
            String resource,
            double ms,
            Optional<Interval> ci95,
            int rounds,
            double units,
            double utilisationAtKnee) {
        this(resource, ms, ci95, rounds, units, Optional.of(utilisationAtKnee), List.of());
    }

    /// The same demand without its interval.
    public Demand withoutInterval() {
        return new Demand(
                resource, ms, Optional.empty(), rounds, units, utilisationAtKnee, sources);
    }

    /// The same demand without the utilisation at the knee.
    public Demand withoutUtilisation() {
        return new Demand(resource, ms, ci95, rounds, units, Optional.empty(), sources);
    }

    /// The same demand with the sources it was computed from.
    public Demand from(List<Source> seenBy) {
        return new Demand(resource, ms, ci95, rounds, units, utilisationAtKnee, seenBy);
    }

    public boolean isDelay() {
        return Double.isInfinite(units);
    }
}
