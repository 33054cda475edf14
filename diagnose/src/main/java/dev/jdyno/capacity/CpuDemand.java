package dev.jdyno.capacity;

import dev.jdyno.capacity.RoundsInterval.RoundValue;
import dev.jdyno.measure.RequestCpu;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.Slice;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.List;
import java.util.Optional;

/// CPU of the target per request by the utilisation law, D = U / X: cores in use ÷ requests per
/// second. It is a ratio of sums over the rounds, so busier rounds weigh more. CPU of the compilers
/// is not included ({@link RequestCpu}).
///
/// @param ci95 95 % interval, from the differences between rounds and between their seconds; empty
///   for a single round of one second
record CpuDemand(double ms, Optional<Interval> ci95, List<Round> from) {
    /// Empty if no round measured the target's CPU.
    static Optional<CpuDemand> of(List<Round> rounds, List<ThreadSamples> threadSamples) {
        List<Round> seen =
                rounds.stream().filter(r -> RequestCpu.ms(r, threadSamples).isPresent()).toList();
        if (seen.isEmpty()) {
            return Optional.empty();
        }
        double ms = ratio(seen, threadSamples);
        return Optional.of(
                new CpuDemand(
                        ms,
                        RoundsInterval.ofMean(
                                ms, seen.stream().map(r -> roundValue(r, threadSamples)).toList()),
                        seen));
    }

    /// Returns the demand in the rounds in which it is steady.
    static Optional<CpuDemand> settled(List<Round> rounds, List<ThreadSamples> threadSamples) {
        return of(RequestCpu.settled(rounds, threadSamples), threadSamples);
    }

    private static double ratio(List<Round> rounds, List<ThreadSamples> threadSamples) {
        double coreSeconds = 0;
        double requests = 0;
        for (Round r : rounds) {
            coreSeconds += RequestCpu.cores(r, threadSamples).orElseThrow() * r.seconds();
            requests += r.qps() * r.seconds();
        }
        return coreSeconds / requests * 1000;
    }

    /// Returns the CPU per request of one round with its error. A second with more requests has
    /// more weight: its contribution is its distance from the round's ratio × its requests.
    private static RoundValue roundValue(Round r, List<ThreadSamples> threadSamples) {
        double all = r.cpuMsPerRequest().orElseThrow();
        List<Slice> seen = r.slices().stream().filter(s -> s.processCores().isPresent()).toList();
        return RoundsInterval.bySeconds(
                RequestCpu.ms(r, threadSamples).orElseThrow(),
                r.qps() * r.seconds(),
                seen,
                s -> (s.processCores().orElseThrow() * 1000 - all * s.qps()) / r.qps());
    }
}
