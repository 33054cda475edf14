package dev.jdyno.load;

import dev.jdyno.measure.ClientSide;
import dev.jdyno.measure.Validity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// What one run of load gave.
///
/// @param total all windows together
/// @param partial whether it was stopped before its end
public record LoadReport(LoadPlan plan, String transport, LoadWindow total, boolean partial) {

    /// Share of requests that had not ended when the run did, above which the percentiles miss too
    /// many of the slowest.
    static final double UNFINISHED_LIMIT = 0.01;

    /// Whether the figures can be trusted.
    ///
    /// @param mostErrorShare share of errors above which they cannot
    /// @param goOn whether a client that was the limit is only said and does not spoil the result
    public Validity validity(double mostErrorShare, boolean goOn) {
        List<Validity.Warning> warnings = new ArrayList<>();
        ClientSide client = total.client();
        client.why()
                .ifPresent(why ->
                        warnings.add(
                                new Validity.Warning(
                                        "client", "the client was the limit: " + why, !goOn)));
        long all = total.requests() + total.errors();
        double share = all == 0 ? 0 : (double) total.errors() / all;
        if (share > mostErrorShare) {
            warnings.add(
                    new Validity.Warning(
                            "errors",
                            String.format(
                                    Locale.ROOT,
                                    "%.1f %% of the requests failed (limit %.1f %%, --max-errors)",
                                    100 * share,
                                    100 * mostErrorShare),
                            true));
        }
        long dropped = total.errorKinds().getOrDefault(ErrorKind.DROPPED.key(), 0L);
        if (dropped > 0) {
            warnings.add(
                    new Validity.Warning(
                            "backlog",
                            dropped
                                    + " arrivals found the backlog full and were dropped: the server"
                                    + " does not keep up with the rate",
                            true));
        }
        if (plan.rate().isPresent() && total.inFlight() > UNFINISHED_LIMIT * Math.max(1, all)) {
            warnings.add(
                    new Validity.Warning(
                            "unfinished",
                            total.inFlight()
                                    + " arrivals had no reply when the run ended: the percentiles"
                                    + " miss the slowest",
                            false));
        }
        if (partial) {
            warnings.add(new Validity.Warning("partial", "stopped before its planned end", false));
        }
        return Validity.of(warnings);
    }
}
