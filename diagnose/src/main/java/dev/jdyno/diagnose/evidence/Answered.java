package dev.jdyno.diagnose.evidence;

import dev.jdyno.measure.Round;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Finds rounds in which X · R is too small for the requests in flight (Little's law, F3), because
/// some requests get no answer.
public final class Answered {
    /// Minimum ratio of X · R, computed from the answers, to the requests in flight. Below it, the
    /// response times describe only a part of the requests.
    static final double ANSWERED = 0.6;

    /// Minimum number of requests in flight without an answer. In a short round, one may lack an
    /// answer by chance.
    static final double MISSING = 2;

    private Answered() {}

    /// Returns the round with the smallest ratio of X · R to the requests in flight; empty if this
    /// ratio is large enough in all rounds.
    public static Optional<Round> smallestOf(List<Round> rounds) {
        return rounds.stream()
                .filter(r -> r.bytesRead().isPresent() && r.ratePerS().isEmpty())
                .filter(r -> r.errors() == 0 && !r.client().saturated())
                .filter(r ->
                        of(r) < ANSWERED * r.concurrency() && r.concurrency() - of(r) >= MISSING)
                .min(Comparator.comparingDouble(r -> of(r) / r.concurrency()));
    }

    public static double of(Round round) {
        return round.qps() * round.rtMs().mean() / 1000;
    }
}
