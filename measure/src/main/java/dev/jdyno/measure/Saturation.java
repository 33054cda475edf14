package dev.jdyno.measure;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The load at which throughput stops growing.
///
/// @param plateau the lowest load that gives the best throughput
/// @param doubled the first round at about twice that load or more; empty without such a round
public record Saturation(Round plateau, Optional<Round> doubled) {
    /// Minimum share of the best throughput for a round to be saturated. A smaller difference is
    /// within the noise of a 6 s round on a shared machine.
    private static final double PLATEAU_SHARE = 0.97;

    /// Minimum ratio of concurrencies for a round to count as "the load doubled".
    public static final double DOUBLED_RATIO = 1.6;

    /// Minimum share of the cores available to the target for CPU to count as saturated (source S0
    /// in docs/domain.md).
    public static final double CPU_SATURATED = 0.85;

    /// The saturation of these rounds; empty without rounds.
    public static Optional<Saturation> of(List<Round> rounds) {
        List<Round> byLoad =
                rounds.stream().sorted(Comparator.comparingInt(Round::concurrency)).toList();
        double best = byLoad.stream().mapToDouble(Round::qps).max().orElse(0);
        return byLoad.stream()
                .filter(r -> r.qps() >= best * PLATEAU_SHARE)
                .findFirst()
                .map(plateau ->
                        new Saturation(
                                plateau,
                                byLoad.stream()
                                        .filter(r ->
                                                r.concurrency()
                                                        >= plateau.concurrency() * DOUBLED_RATIO)
                                        .findFirst()));
    }

    /// The round, of these two, with the higher CPU utilisation; empty if the target's CPU was
    /// measured in neither. The doubled round is included because the plateau round may be just
    /// below saturation.
    public Optional<Round> fullest() {
        return Stream.concat(Stream.of(plateau), doubled.stream())
                .filter(r -> r.cpu().isPresent())
                .max(Comparator.comparingDouble(r -> r.cpu().orElseThrow().utilisation()));
    }
}
