package dev.jdyno.diagnose.gain;

import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.verdict.Expected;
import dev.jdyno.measure.verdict.KnownChange;
import dev.jdyno.measure.verdict.Recommendation;

/// The load from which the figures of a recommendation are scaled. Most rules scale the load of the
/// report. There are two exceptions. A recommendation for a shorter response time is for a load at
/// which no request queues. One for fewer requests in flight is compared with the highest load.
public final class FiguresLoad {
    private FiguresLoad() {}

    /// Returns the round whose throughput is the base of the recommendation's expected throughput.
    /// If the recommendation has no figures, it is the round of the report.
    public static Round of(Recommendation r, Situation s) {
        return isOther(r)
                ? r.expected()
                        .map(Expected::atConcurrency)
                        .filter(n -> n != s.now().concurrency())
                        .flatMap(n ->
                                s.evidence().rounds().stream()
                                        .filter(round -> round.ratePerS().isEmpty())
                                        .filter(round -> round.concurrency() == n)
                                        .reduce((_, last) -> last))
                        .orElse(s.now())
                : s.now();
    }

    private static boolean isOther(Recommendation r) {
        return r.isAboutResponseTime() || r.change().name() == KnownChange.INSIDE_FEWER;
    }
}
