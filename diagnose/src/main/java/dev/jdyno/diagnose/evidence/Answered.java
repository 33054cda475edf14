package dev.jdyno.diagnose.evidence;

import dev.jdyno.measure.Round;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Finds rounds in which answers account for too few of the requests in flight (F3). That happens
/// when some requests get no answer.
public final class Answered {
    /// Minimum share of the requests in flight that answers must account for (Little: X R). Below
    /// it, the response times describe only a few requests.
    static final double ANSWERED = 0.6;

    /// Minimum number of requests in flight without an answer. In a short round, one can be missing
    /// by chance.
    static final double MISSING = 2;

    private Answered() {}

    /// Returns the round in which answers account for the smallest part of the requests in flight;
    /// empty if they account for most of them in all rounds.
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
