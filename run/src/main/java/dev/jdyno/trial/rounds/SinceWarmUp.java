package dev.jdyno.trial.rounds;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.Slice;
import dev.jdyno.measure.statistics.Quantiles;
import dev.jdyno.measure.verdict.DecidingWarning;
import dev.jdyno.measure.verdict.Validity.Warning;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Warns if the service had far more throughput during the warm-up than in any later round. Either
/// its throughput collapses at higher concurrency, or it became slower in between, for example
/// because it filled up. A single round does not show that.
public final class SinceWarmUp {
    /// Minimum ratio of the warm-up's throughput to that of the best round that counts as a loss. A
    /// smaller ratio may be scatter, and a cold service is usually slower, not faster.
    private static final double FELL_FROM = 1.5;

    private SinceWarmUp() {}

    /// @param concurrency requests in flight during the warm-up
    /// @param slices of the warm-up, one second each; the second half counts
    public static Optional<Warning> fell(int concurrency, List<Slice> slices, List<Round> rounds) {
        List<Round> closed = rounds.stream().filter(r -> r.ratePerS().isEmpty()).toList();
        if (slices.isEmpty() || closed.isEmpty()) {
            return Optional.empty();
        }
        double before =
                Quantiles.median(
                        slices.stream().skip(slices.size() / 2).mapToDouble(Slice::qps).toArray());
        double best = closed.stream().mapToDouble(Round::qps).max().orElseThrow();
        // lower throughput at lower concurrency than during warm-up is not a regression
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
                        DecidingWarning.FELL_SINCE_WARM_UP.id(),
                        String.format(
                                Locale.ROOT,
                                "%.0f requests/s during the warm-up with %d in flight, but at"
                                        + " most %.0f/s in the rounds: the service serves less"
                                        + " at higher concurrency, or it has slowed down since."
                                        + " Restart it and try a lower --concurrency",
                                before,
                                concurrency,
                                best),
                        false));
    }
}
