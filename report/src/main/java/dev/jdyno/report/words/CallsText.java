package dev.jdyno.report.words;

import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Insight.CallRate;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.thread.Cause;
import java.util.Locale;
import java.util.Optional;

/// The number of calls that a request makes to another service or a database, in words.
public final class CallsText {
    /// Minimum calls per request for a figure; with fewer, only some requests make a call.
    private static final double SELDOM = 0.1;

    /// Maximum difference between a count and the whole number that is shown for it.
    private static final double WHOLE = 0.05;

    private CallsText() {}

    /// The number of calls: `3 calls/request of 1 ms and more`. Shorter calls are not recorded.
    /// Empty if no calls were counted at the round's load, and for a cause that is not a call.
    ///
    /// @param cause key of the cause
    public static Optional<String> of(Insight insight, Round round, String cause) {
        double calls =
                insight.calls().stream()
                        .filter(c -> c.concurrency() == round.concurrency())
                        .filter(c -> c.cause() == Cause.DOWNSTREAM || c.cause() == Cause.DATABASE)
                        .filter(c -> c.cause().key().equals(cause))
                        .mapToDouble(CallRate::perRequest)
                        .sum();
        return calls < SELDOM
                ? Optional.empty()
                : Optional.of(
                        String.format(
                                Locale.ROOT,
                                Math.abs(calls - Math.rint(calls)) < WHOLE ? "%.0f %s" : "%.1f %s",
                                calls,
                                "calls/request of 1 ms and more"));
    }
}
