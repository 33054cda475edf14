package dev.jdyno.capacity.headroom;

import dev.jdyno.measure.verdict.Headroom.DiskLimit;
import dev.jdyno.measure.verdict.Headroom.First;
import dev.jdyno.measure.verdict.Headroom.Kind;
import dev.jdyno.measure.verdict.Headroom.Known;
import dev.jdyno.measure.verdict.Headroom.Limit;
import dev.jdyno.measure.verdict.Headroom.PoolLimit;
import dev.jdyno.measure.verdict.Headroom.Raise;
import dev.jdyno.measure.verdict.Headroom.Resource;
import dev.jdyno.measure.verdict.Headroom.Unknown;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Finds the resource that is saturated first. A disk that always has work may serve several
/// operations at once, so its limit is only a lower bound: a disk is never called first.
final class FirstLimit {
    private FirstLimit() {}

    private record Candidate(Resource resource, Limit limit) {
        Stream<Known> known() {
            return limit instanceof Known k && resource.kind() != Kind.DISK
                    ? Stream.of(k)
                    : Stream.empty();
        }

        double perS() {
            return known().findFirst().map(Known::limitPerS).orElse(Double.POSITIVE_INFINITY);
        }

        /// True if the resource may be saturated at this throughput.
        boolean maybeAt(double perS) {
            return switch (limit) {
                case Known k -> k.ci95().lo() <= perS;
                case Unknown u -> u.atLeastPerS().map(lo -> lo <= perS).orElse(true);
            };
        }
    }

    /// Empty if no limit is known, or if the lower bound of an unknown CPU limit is within or below
    /// the interval of the first known one: each request uses the CPU. Without a lower bound, the
    /// CPU is one of those that may be first.
    static Optional<First> of(Limit cpu, List<PoolLimit> pools, List<DiskLimit> disks) {
        List<Candidate> all =
                Stream.of(
                                Stream.of(new Candidate(Resource.CPU, cpu)),
                                pools.stream().map(p -> new Candidate(p.resource(), p.limit())),
                                disks.stream().map(d -> new Candidate(d.resource(), d.limit())))
                        .flatMap(candidates -> candidates)
                        .sorted(Comparator.comparingDouble(Candidate::perS))
                        .toList();
        Candidate first = all.getFirst();
        List<Candidate> others = all.subList(1, all.size());
        return first.known()
                .filter(k -> !isEarlier(cpu, k))
                .map(k ->
                        new First(
                                first.resource(),
                                k,
                                others.stream()
                                        .filter(o -> o.maybeAt(k.ci95().hi()))
                                        .map(Candidate::resource)
                                        .toList(),
                                pools.stream()
                                        .filter(p -> p.resource().equals(first.resource()))
                                        .findFirst()
                                        .flatMap(p -> raise(p, k, others))))
                .findFirst();
    }

    private static boolean isEarlier(Limit cpu, Known first) {
        return cpu instanceof Unknown u
                && u.atLeastPerS().filter(lo -> lo <= first.ci95().hi()).isPresent();
    }

    /// Returns the pool size from which on the next resource limits. Empty if the pool is already
    /// that large, or if a disk or a resource with an unknown limit may be saturated earlier.
    private static Optional<Raise> raise(PoolLimit first, Known k, List<Candidate> others) {
        return others.stream()
                .filter(o -> o.known().findAny().isPresent())
                .findFirst()
                .filter(next ->
                        others.stream()
                                .filter(o -> o.known().findAny().isEmpty())
                                .noneMatch(o -> o.maybeAt(next.perS())))
                .map(next ->
                        new Raise(
                                (long) Math.ceil(k.base() + k.demandMs() / 1000 * next.perS()),
                                next.perS(),
                                next.resource()))
                .filter(r -> r.size() > first.size());
    }
}
