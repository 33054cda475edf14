package dev.jdyno.measure;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Where throughput stops growing.
///
/// @param plateau the least load that gives the best throughput
/// @param doubled the round nearest to twice that load; empty when none went that far
public record Saturation(Round plateau, Optional<Round> doubled) {
    /// Throughput within this share of the best counts as the plateau: less is within the noise of
    /// a 6 s round on a shared machine.
    private static final double PLATEAU_SHARE = 0.97;

    /// A round counts as "the load doubled" from this ratio of concurrencies on.
    public static final double DOUBLED_RATIO = 1.6;

    /// Share of the cores available to the target from which CPU counts as saturated (S0).
    public static final double CPU_USED_UP = 0.85;

    /// Empty without rounds.
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

    /// That one of the two rounds in which less of the CPU was left over; empty when neither saw
    /// the target's CPU. The doubled one counts, too, for a plateau round may sit just below
    /// saturation.
    public Optional<Round> fullest() {
        return Stream.concat(Stream.of(plateau), doubled.stream())
                .filter(r -> r.cpu().isPresent())
                .max(Comparator.comparingDouble(r -> r.cpu().orElseThrow().utilisation()));
    }
}
