package dev.jdyno.measure.load;

import dev.jdyno.measure.statistics.Interval;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// How a service was warmed up, what its JIT compilers had to do meanwhile, and whether more is to
/// be had.
///
/// @param seconds from the first request of the warm-up to its end, rests included
/// @param compilers at the end, mean of the last seconds
/// @param queuedMost methods that waited for a compiler, at most; empty where the queue is not seen
/// @param rests without load, in which compilers that had lacked cores could work
/// @param after what a rest after the rounds gave; empty where the compilers had nothing left to do
///   when the warm-up ended, so that none was needed
/// @param missing sources that were not there, with the reason
public record WarmUpFacts(
        double seconds,
        Compilers compilers,
        Optional<Integer> queuedMost,
        List<Rest> rests,
        Optional<After> after,
        List<String> missing) {
    /// Throughput that a rest after the rounds may bring before the rounds count as not warm:
    /// rounds at one load differ by as much.
    public static final double MORE_FROM = 0.03;

    public WarmUpFacts {
        rests = List.copyOf(rests);
        missing = List.copyOf(missing);
    }

    /// What compilers had to do; absent what is not seen.
    ///
    /// @param usedCores on which they ran
    /// @param waitedCores that they waited for
    /// @param queued methods that waited for them
    public record Compilers(
            Optional<Double> usedCores, Optional<Double> waitedCores, Optional<Integer> queued) {}

    /// Some seconds without a request between two bursts of load.
    ///
    /// @param fromS since the warm-up began
    /// @param queuedBefore methods that waited for a compiler when the load ended
    /// @param queuedAfter when it went on
    /// @param qpsBefore mean of the last seconds before
    /// @param qpsAfter mean of the last seconds of the burst after it; empty where there was none
    public record Rest(
            double fromS,
            double seconds,
            Optional<Integer> queuedBefore,
            Optional<Integer> queuedAfter,
            double qpsBefore,
            Optional<Double> qpsAfter) {
        /// Throughput after ÷ before; empty where nothing came after it, or nothing before.
        public Optional<Double> ratio() {
            return qpsAfter.filter(_ -> qpsBefore > 0).map(q -> q / qpsBefore);
        }
    }

    /// A rest after the last round, and one round once more.
    ///
    /// @param concurrency of that round
    /// @param restSeconds without load before it
    /// @param qpsBefore of the round as it counts
    /// @param qpsAfter of the same load after the rest
    /// @param ratioCi95 of throughput after ÷ before, by the seconds of both rounds
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

        /// Whether the rounds are of a service that was not warm.
        public boolean hasMore() {
            return ratio() > 1 + MORE_FROM && ratioCi95.lo() > 1;
        }
    }

    /// Seconds of the warm-up without load.
    public double restedSeconds() {
        return rests.stream().mapToDouble(Rest::seconds).sum();
    }

    /// Throughput after the rests ÷ before the first one.
    public Optional<Double> restsRatio() {
        Optional<Rest> last =
                rests.stream()
                        .filter(r -> r.qpsAfter().isPresent())
                        .max(Comparator.comparingDouble(Rest::fromS));
        return last.flatMap(Rest::qpsAfter)
                .filter(_ -> rests.getFirst().qpsBefore() > 0)
                .map(q -> q / rests.getFirst().qpsBefore());
    }

    /// The same, with what a rest after the rounds gave.
    public WarmUpFacts with(After shown) {
        return new WarmUpFacts(seconds, compilers, queuedMost, rests, Optional.of(shown), missing);
    }
}
