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

/// The result of one run of load.
///
/// @param total all windows added up
/// @param end how the run ended
/// @param processes number of processes that shared the load
public record LoadReport(
        LoadPlan plan, String transport, LoadWindow total, End end, int processes) {

    /// The ways in which a run ends, from the best to the worst.
    public enum End {
        WHOLE,
        /// The user stopped the run.
        STOPPED,
        /// The server has refused every connection for {@link ServerGone#PATIENCE}, so the run
        /// would not end by itself.
        GIVEN_UP
    }

    /// True if the run ended before its plan was complete.
    public boolean partial() {
        return end != End.WHOLE;
    }

    /// Maximum share of requests still in flight at the end of the run. Above it, the percentiles
    /// miss too many of the slowest requests.
    static final double UNFINISHED_LIMIT = 0.01;

    /// A connect that takes this long lost its first packet: Linux sends a SYN again after 1 s.
    static final double CONNECT_RETRY_S = 0.95;

    /// Share of the ports of one address in TIME_WAIT above which a warning is given.
    static final double TIME_WAIT_LIMIT = 0.8;

    /// Judges whether the figures can be trusted.
    ///
    /// @param maxErrorShare share of errors above which they cannot be trusted
    /// @param goOn true if a client that was the limit only gives a warning; false if it makes the
    ///   result invalid
    public Validity validity(double maxErrorShare, boolean goOn) {
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
        if (share > maxErrorShare) {
            warnings.add(
                    new Validity.Warning(
                            "errors",
                            String.format(
                                    Locale.ROOT,
                                    "%.1f %% of the requests failed (limit %.1f %%, --max-errors)%s",
                                    100 * share,
                                    100 * maxErrorShare,
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

    /// Adds the warnings with which the result stays valid.
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
