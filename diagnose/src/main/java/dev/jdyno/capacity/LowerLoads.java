package dev.jdyno.capacity;

import dev.jdyno.measure.Round;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// The loads to begin with where the lowest one that was measured is above the knee.
public final class LowerLoads {
    private LowerLoads() {}

    /// The loads that the note about a missing knee asks for.
    ///
    /// @param rounds in any order
    /// @return ascending; empty where the lowest load is not above the knee
    public static List<Integer> askedFor(List<Round> rounds) {
        List<Round> closed = rounds.stream().filter(r -> r.ratePerS().isEmpty()).toList();
        return Asymptotes.of(closed) instanceof Asymptotes.Fit.None(KneeFinding.NotFound why)
                        && why.reason() == KneeFinding.Reason.FLAT_FROM_THE_START
                ? closed.stream()
                        .filter(r -> r.qps() > 0)
                        .min(Comparator.comparingInt(Round::concurrency))
                        .map(r -> than(r.concurrency()))
                        .orElseThrow()
                : List.of();
    }

    /// One user never queues, and half of the lowest load may queue little.
    ///
    /// @param lowest requests in flight of the lowest round
    /// @return ascending; the last is `lowest`
    static List<Integer> than(int lowest) {
        return Stream.of(1, (int) Math.round(Asymptotes.BASE_SHARE * lowest), lowest)
                .filter(n -> n >= 1)
                .distinct()
                .toList();
    }
}
