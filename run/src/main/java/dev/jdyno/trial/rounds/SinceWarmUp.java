package dev.jdyno.trial.rounds;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.Slice;
import dev.jdyno.measure.statistics.Quantiles;
import dev.jdyno.measure.verdict.Validity.Warning;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Whether the service gave far more while it warmed up than in any round since: it collapses under
/// more at a time, or filled up or wore out meanwhile. No round tells that by itself.
public final class SinceWarmUp {
    /// Ratio of the warm-up's throughput to the best round's from which it is no scatter: a cold
    /// service is slower, not faster.
    private static final double FELL_FROM = 1.5;

    private SinceWarmUp() {}

    /// @param concurrency requests in flight while it warmed up
    /// @param slices of the warm-up, a second each; the second half counts
    public static Optional<Warning> fell(int concurrency, List<Slice> slices, List<Round> rounds) {
        List<Round> closed = rounds.stream().filter(r -> r.ratePerS().isEmpty()).toList();
        if (slices.isEmpty() || closed.isEmpty()) {
            return Optional.empty();
        }
        double before =
                Quantiles.median(
                        slices.stream().skip(slices.size() / 2).mapToDouble(Slice::qps).toArray());
        double best = closed.stream().mapToDouble(Round::qps).max().orElseThrow();
        // with fewer in flight than the warm-up had, less is no fall
        double asMany =
                closed.stream()
                        .mapToDouble(
                                r -> r.qps() * Math.max(1, concurrency / (double) r.concurrency()))
                        .max()
                        .orElseThrow();
        if (before < FELL_FROM * asMany) {
            return Optional.empty();
        }
        return Optional.of(
                new Warning(
                        "fell-since-warmup",
                        String.format(
                                Locale.ROOT,
                                "%.0f requests/s while it warmed up with %d in flight, at best %.0f/s in the"
                                        + " rounds: it gives less to more at a time, or has filled up or worn"
                                        + " out since; start it anew and try a lower --concurrency",
                                before,
                                concurrency,
                                best),
                        false));
    }
}
