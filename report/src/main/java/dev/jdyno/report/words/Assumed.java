package dev.jdyno.report.words;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.verdict.Assumption;
import dev.jdyno.measure.verdict.Expected;
import dev.jdyno.measure.verdict.Recommendation;
import java.util.Locale;
import java.util.Optional;

/// The part of a gain that jdyno assumes instead of predicting.
///
/// @param what the assumption about the change
/// @param repeats true if the gain is just the assumed factor: then it says nothing about this
///   service, and only the next limit does
/// @param nextLimitQps throughput at which the CPU becomes the limit, to two digits; empty if the
///   CPU is the limit already, or was not measured
public record Assumed(Assumption what, boolean repeats, Optional<Double> nextLimitQps) {
    /// Text in a table for a gain that is the assumed factor of {@link Assumption#FACTOR} again.
    public static final String TWICE = "up to twice";

    /// Share of the assumed factor from which a bound repeats it. The present throughput may be
    /// slightly above saturation.
    private static final double REPEATS = 0.95;

    /// Minimum ratio of the throughputs that counts as a gain.
    private static final double SOME = 1.03;

    /// The assumption of a recommendation; empty if nothing is assumed, or if no formula predicts a
    /// gain.
    ///
    /// @param now the round of the operating point; empty if there is none
    public static Optional<Assumed> of(Recommendation r, Optional<Round> now) {
        return r.predictedQpsRatio()
                .flatMap(ratio ->
                        Assumption.of(r)
                                .map(what ->
                                        new Assumed(
                                                what,
                                                repeats(r, ratio, now),
                                                now.flatMap(n -> nextLimit(r, n)))));
    }

    private static boolean repeats(Recommendation r, double ratio, Optional<Round> now) {
        double max = now.flatMap(n -> r.expected().map(e -> e.qps() / n.qps())).orElse(ratio);
        return r.atMost() && max >= REPEATS * Assumption.FACTOR && !hasCertainGain(r, now);
    }

    /// True if the lower end of the predicted range is a gain, as measured for changes of this
    /// kind.
    private static boolean hasCertainGain(Recommendation r, Optional<Round> now) {
        return now.flatMap(n ->
                        r.expected()
                                .flatMap(e -> e.ci95())
                                .map(Interval::lo)
                                .filter(lo -> lo >= SOME * n.qps()))
                .isPresent();
    }

    /// The throughput at which the CPU becomes the limit: the cores of the service, or those of the
    /// machine, which the load generator shares.
    private static Optional<Double> nextLimit(Recommendation r, Round now) {
        return now.cpu()
                .filter(c -> r.change().name().kind().keepsCpu() && c.processCores() > 0)
                .map(c -> Math.min(c.coresForTarget() / c.processCores(), machineAllows(c)))
                .filter(times -> times >= SOME)
                .map(times -> Figures.twoDigits(times * now.qps()));
    }

    private static double machineAllows(CpuUse c) {
        double used = c.processCores() + c.clientCores() + c.otherCores();
        return c.machinePct() <= 0
                ? Double.POSITIVE_INFINITY
                : (used / (c.machinePct() / 100) - c.otherCores())
                        / (c.processCores() + c.clientCores());
    }

    /// `the query takes half as long`: a clause that follows an `if`.
    public String says() {
        return switch (what) {
            case LOCK_HALF_AS_LONG -> "half of the work under the lock moves out of it";
            case CONNECTION_HALF_AS_LONG -> "a connection is held half as long";
            case QUERY_HALF_AS_LONG -> "the query takes half as long";
            case HALF_THE_QUERIES -> "a request makes half the queries";
            case CALLS_HALF_AS_LONG -> "the calls take half as long, or are half as many";
            case WAIT_HALF_AS_LONG -> "that wait is half as long";
            case HALF_THE_LINES -> "a request writes half the lines";
            case HALF_THE_CPU -> "a request takes half the CPU";
            case DISK_TWICE_AS_FAST -> "the disk is twice as fast";
            case PEER_TWICE_AS_MUCH -> "the other side serves twice as many";
            case LIMIT_TWICE_AS_HIGH -> "the limit is twice as high";
            case TWICE_THE_CONNECTIONS -> "each of twice the connections serves as much as now";
            case TWICE_THE_THREADS -> "each of twice the threads serves as much as now";
            case TWICE_THE_CORES -> "each of twice the cores serves as much as now";
        };
    }

    /// The assumption for a table, in brackets; empty if the recommendation states it already.
    String note() {
        return switch (what) {
            case LOCK_HALF_AS_LONG, QUERY_HALF_AS_LONG, HALF_THE_QUERIES ->
                    " (assumed: " + says() + ")";
            default -> "";
        };
    }

    /// The gain that only repeats the factor: `up to twice: 115 -> at most 230/s, at N=20; next
    /// known limit: CPU, at about 1500/s`.
    ///
    /// @param r the recommendation that assumes it
    String twice(Recommendation r, Optional<Round> now) {
        return now.map(
                                n -> {
                                    int at =
                                            r.expected()
                                                    .map(Expected::atConcurrency)
                                                    .orElse(n.concurrency());
                                    return String.format(
                                            Locale.ROOT,
                                            "%s: %s%s -> at most %s/s%s at N=%d",
                                            TWICE,
                                            Figures.number(n.qps()),
                                            at == n.concurrency()
                                                    ? ""
                                                    : "/s at N=" + n.concurrency(),
                                            Figures.number(
                                                    r.expected()
                                                            .map(Expected::qps)
                                                            .orElse(Assumption.FACTOR * n.qps())),
                                            at == n.concurrency() ? "," : "",
                                            at);
                                })
                        .orElse(TWICE)
                + nextLimitQps
                        .map(qps ->
                                "; next known limit: CPU, at about " + Figures.number(qps) + "/s")
                        .orElse("; the next limit is not known");
    }
}
