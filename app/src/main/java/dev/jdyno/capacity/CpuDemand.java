package dev.jdyno.capacity;

import dev.jdyno.measure.Bootstrap;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Interval;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.Slice;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/// CPU of the target per request by the utilisation law, D = U / X: cores used over requests per
/// second, as a ratio of sums over the rounds, so that busier rounds weigh more.
///
/// @param ci95 two-level bootstrap over rounds and their slices
record CpuDemand(double ms, Interval ci95, List<Round> from) {
    /// Empty when no round saw the target's CPU.
    static Optional<CpuDemand> of(List<Round> rounds, long seed) {
        List<Round> seen =
                rounds.stream().filter(r -> r.cpuMsPerRequest().orElse(0.0) > 0).toList();
        if (seen.isEmpty()) {
            return Optional.empty();
        }
        double ms = ratio(seen);
        Interval drawn = Bootstrap.ci95(random -> resampledRatio(seen, random), seed);
        // slices carry coarser CPU samples than rounds: the interval always holds the figure itself
        Interval ci95 = new Interval(Math.min(drawn.lo(), ms), Math.max(drawn.hi(), ms));
        return Optional.of(new CpuDemand(ms, ci95, seen));
    }

    private static double ratio(List<Round> rounds) {
        double coreSeconds = 0;
        double requests = 0;
        for (Round r : rounds) {
            coreSeconds += r.cpu().map(CpuUse::processCores).orElseThrow() * r.seconds();
            requests += r.qps() * r.seconds();
        }
        return coreSeconds / requests * 1000;
    }

    private static double resampledRatio(List<Round> rounds, SplittableRandom random) {
        double cores = 0;
        double qps = 0;
        for (int i = 0; i < rounds.size(); i++) {
            Round round = rounds.get(random.nextInt(rounds.size()));
            List<Slice> slices =
                    round.slices().stream()
                            .filter(s -> s.processCores().isPresent() && s.qps() > 0)
                            .toList();
            if (slices.isEmpty()) {
                cores += round.cpu().map(CpuUse::processCores).orElseThrow();
                qps += round.qps();
            }
            for (int s = 0; s < slices.size(); s++) {
                Slice drawn = slices.get(random.nextInt(slices.size()));
                cores += drawn.processCores().orElseThrow() / slices.size();
                qps += drawn.qps() / slices.size();
            }
        }
        return cores / qps * 1000;
    }
}
