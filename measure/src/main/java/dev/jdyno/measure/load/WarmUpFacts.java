package dev.jdyno.measure.load;

import dev.jdyno.measure.statistics.Interval;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The warm-up of a service: its load, the work of the JIT compilers, and whether the service could
/// still become faster.
///
/// @param seconds from the first request of the warm-up to its end, rests included
/// @param compilers compilers at the end, mean of the last seconds
/// @param queuedMost maximum number of methods that waited for a compiler; empty if the queue is
///   unknown
/// @param rests times without load, which let compilers work that had waited for cores
/// @param after result of a rest after the rounds; empty if the compilers had no work left when the
///   warm-up ended, so that no rest was needed
/// @param missing sources that were not available, with the reason
public record WarmUpFacts(
        double seconds,
        Compilers compilers,
        Optional<Integer> queuedMost,
        List<Rest> rests,
        Optional<After> after,
        List<String> missing) {
    /// Minimum throughput gain by a rest after the rounds at which the service was not warm during
    /// them. A smaller gain is within the difference of rounds at one load.
    public static final double MORE_FROM = 0.03;

    public WarmUpFacts {
        rests = List.copyOf(rests);
        missing = List.copyOf(missing);
    }

    /// Work of the compilers; values that could not be measured are empty.
    ///
    /// @param usedCores cores on which they ran
    /// @param waitedCores cores that they waited for
    /// @param queued methods that waited for them
    public record Compilers(
            Optional<Double> usedCores, Optional<Double> waitedCores, Optional<Integer> queued) {}

    /// Some seconds without a request between two bursts of load.
    ///
    /// @param fromS since the warm-up began
    /// @param queuedBefore methods that waited for a compiler when the load ended
    /// @param queuedAfter methods that waited when the load continued
    /// @param qpsBefore mean throughput of the last seconds before the rest
    /// @param qpsAfter mean throughput of the last seconds of the burst after it; empty if there
    ///   was none
    public record Rest(
            double fromS,
            double seconds,
            Optional<Integer> queuedBefore,
            Optional<Integer> queuedAfter,
            double qpsBefore,
            Optional<Double> qpsAfter) {
        /// Throughput after ÷ before; empty if there is no throughput after it, or none before.
        public Optional<Double> ratio() {
            return qpsAfter.filter(_ -> qpsBefore > 0).map(q -> q / qpsBefore);
        }
    }

    /// A rest after the last round, followed by a repetition of one round.
    ///
    /// @param concurrency concurrency of that round
    /// @param restSeconds seconds without load before it
    /// @param qpsBefore throughput of the round of the result
    /// @param qpsAfter throughput at the same load after the rest
    /// @param ratioCi95 interval of throughput after ÷ before, from the seconds of both rounds
    /// @param queued methods that waited for a compiler before the rest
    public record After(
            int concurrency,
            double restSeconds,
            double qpsBefore,
            double qpsAfter,
            Interval ratioCi95,
            Optional<Integer> queued) {
        /// Throughput after ÷ before.
        public double ratio() {
            return qpsBefore > 0 ? qpsAfter / qpsBefore : 1;
        }

        /// True if the service was not warm during the rounds.
        public boolean hasMore() {
            return ratio() > 1 + MORE_FROM && ratioCi95.lo() > 1;
        }
    }

    /// Seconds without load during the warm-up.
    public double restedSeconds() {
        return rests.stream().mapToDouble(Rest::seconds).sum();
    }

    /// Throughput after the last rest ÷ throughput before the first one.
    public Optional<Double> restsRatio() {
        Optional<Rest> last =
                rests.stream()
                        .filter(r -> r.qpsAfter().isPresent())
                        .max(Comparator.comparingDouble(Rest::fromS));
        return last.flatMap(Rest::qpsAfter)
                .filter(_ -> rests.getFirst().qpsBefore() > 0)
                .map(q -> q / rests.getFirst().qpsBefore());
    }

    /// The same facts with the result of a rest after the rounds.
    public WarmUpFacts with(After shown) {
        return new WarmUpFacts(seconds, compilers, queuedMost, rests, Optional.of(shown), missing);
    }
}
