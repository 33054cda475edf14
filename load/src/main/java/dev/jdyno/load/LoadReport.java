package dev.jdyno.load;

import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.load.ClientSide;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.Workload;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.verdict.Validity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// What one run of load gave.
///
/// @param total all windows together
/// @param end how it ended
/// @param processes that shared the load
public record LoadReport(
        LoadPlan plan, String transport, LoadWindow total, End end, int processes) {

    /// How a run ends, the worst last.
    public enum End {
        WHOLE,
        /// Somebody said stop.
        STOPPED,
        /// The server has refused every connection for so long that the requests that are left
        /// would take for ever.
        GIVEN_UP
    }

    /// Whether it ended before its plan.
    public boolean partial() {
        return end != End.WHOLE;
    }

    /// Share of requests that had not ended when the run did, above which the percentiles miss too
    /// many of the slowest.
    static final double UNFINISHED_LIMIT = 0.01;

    /// Linux sends a SYN again after 1 s.
    static final double CONNECT_RETRY_S = 0.95;

    /// Share of one address's ports in TIME_WAIT that is worth a word.
    static final double TIME_WAIT_LIMIT = 0.8;

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
                                        "client",
                                        (client.heldUp()
                                                        ? "the machine held the client up: "
                                                        : "the client was the limit: ")
                                                + why,
                                        !goOn)));
        long all = total.requests() + total.errors();
        double share = all == 0 ? 0 : (double) total.errors() / all;
        if (share > mostErrorShare) {
            warnings.add(
                    new Validity.Warning(
                            "errors",
                            String.format(
                                    Locale.ROOT,
                                    "%.1f %% of the requests failed (limit %.1f %%, --max-errors)%s",
                                    100 * share,
                                    100 * mostErrorShare,
                                    ErrorKind.hint(total.errorKinds())),
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
        if (plan.isOpen() && total.inFlight() > UNFINISHED_LIMIT * Math.max(1, all)) {
            warnings.add(
                    new Validity.Warning(
                            "unfinished",
                            total.inFlight()
                                    + " arrivals had no reply when the run ended: the percentiles"
                                    + " miss the slowest",
                            false));
        }
        aside(warnings);
        switch (end) {
            case WHOLE -> {}
            case STOPPED ->
                    warnings.add(
                            new Validity.Warning(
                                    "partial", "stopped before its planned end", false));
            case GIVEN_UP ->
                    warnings.add(
                            new Validity.Warning(
                                    "partial",
                                    "given up before its planned end: no connection could be made for "
                                            + Durations.format(ServerGone.PATIENCE),
                                    true));
        }
        return Validity.of(warnings);
    }

    /// What is worth a word and spoils nothing.
    private void aside(List<Validity.Warning> warnings) {
        plan.spec().workload().flatMap(Workload::warning).ifPresent(warnings::add);
        double connectP99 = total.connectNanos().getValueAtPercentile(99) / 1e9;
        if (connectP99 >= CONNECT_RETRY_S) {
            warnings.add(
                    new Validity.Warning(
                            "connect-queue",
                            String.format(
                                    Locale.ROOT,
                                    "p99 of the connects took %.1f s: their first packet was dropped"
                                            + " and sent again, the server's accept queue is full",
                                    connectP99),
                            false));
        }
        StreamLimit.of(total).ifPresent(warnings::add);
        long ports = LoadLimits.ports();
        if (ports > 0 && total.use().timeWait() > TIME_WAIT_LIMIT * ports) {
            warnings.add(
                    new Validity.Warning(
                            "time-wait",
                            total.use().timeWait()
                                    + " sockets of this machine hold their local port in TIME_WAIT;"
                                    + " an address has "
                                    + ports
                                    + " ports",
                            false));
        }
    }
}
