package dev.jdyno.diagnose.evidence;

import dev.jdyno.measure.Round;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// For how many of the requests in flight the answers account (F3): fewer than were sent where some
/// get none.
public final class Answered {
    /// Share of the requests in flight that answers account for (Little: X R), below which response
    /// times are those of a few.
    static final double ANSWERED = 0.6;

    /// Requests in flight that must be missing: in a short round one is by chance.
    static final double MISSING = 2;

    private Answered() {}

    /// The round in which answers account for the smallest part of the requests in flight; empty
    /// where they account for most in all rounds.
    public static Optional<Round> leastOf(List<Round> rounds) {
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
