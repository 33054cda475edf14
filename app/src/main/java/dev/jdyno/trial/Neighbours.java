package dev.jdyno.trial;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.verdict.Validity.Warning;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Whether the rates of a search were driven beside the same neighbours: what others take from the
/// machine while one rate is driven and not while the next is makes that rate look bad.
final class Neighbours {
    /// Share of the machine by which they may differ; as much at rest calls the host crowded.
    private static final double DIFFERENCE = 0.15;

    private Neighbours() {}

    /// @param rates the rates that were driven
    /// @return empty when neighbours were steady, or the target's CPU was not seen
    static Optional<Warning> of(List<Round> rates, int cores) {
        List<Round> seen =
                rates.stream()
                        .filter(r -> r.cpu().isPresent() && r.ratePerS().isPresent())
                        .sorted(Comparator.comparingDouble(Neighbours::cores))
                        .toList();
        if (seen.isEmpty() || cores(seen.getLast()) - cores(seen.getFirst()) < DIFFERENCE * cores) {
            return Optional.empty();
        }
        Round most = seen.getLast();
        return Optional.of(
                new Warning(
                        "neighbours-moved",
                        String.format(
                                Locale.ROOT,
                                "other processes and the hypervisor held %.2f to %.2f of the %d cores from rate"
                                        + " to rate, most at %.4g/s: that one may be better than it looks",
                                cores(seen.getFirst()),
                                cores(most),
                                cores,
                                most.ratePerS().orElseThrow()),
                        false));
    }

    private static double cores(Round r) {
        CpuUse cpu = r.cpu().orElseThrow();
        return cpu.otherCores() + cpu.stealPct() / 100 * cpu.availableCores();
    }
}
