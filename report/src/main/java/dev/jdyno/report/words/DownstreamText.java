package dev.jdyno.report.words;

import dev.jdyno.measure.OperatingPoint;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.thread.WaitGrowth;
import dev.jdyno.measure.verdict.Bottleneck;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// A sentence on whether the called services and databases served more calls without longer
/// response times. It compares the time of a request in such calls at the reported load with that
/// at the lowest load.
///
/// @param low the lowest load with a breakdown
/// @param lowMs time of a request there in calls of others
/// @param now the reported load
/// @param nowMs time of a request there in calls of others
/// @param growth growth of that time, with its error
public record DownstreamText(Round low, double lowMs, Round now, double nowMs, WaitGrowth growth) {
    private static final Set<Cause> CALLS = EnumSet.of(Cause.DOWNSTREAM, Cause.DATABASE);

    /// Bottlenecks whose first recommendation helps only if the called services can serve more
    /// calls.
    private static final Set<Bottleneck> BEFORE_IT =
            EnumSet.of(
                    Bottleneck.DOWNSTREAM,
                    Bottleneck.DATABASE,
                    Bottleneck.THREAD_POOL,
                    Bottleneck.CONNECTION_POOL,
                    Bottleneck.EVENT_LOOP);

    private static final String UNKNOWN = "Not known whether the called services can take more: ";

    /// Minimum share of a request's time in calls for the limit of the called services to matter.
    private static final double MATTERS = 0.1;

    /// Maximum relative difference of two times that count as equally long. The difference must
    /// also be within its error.
    private static final double AS_LONG = 0.05;

    /// Returns the text. Empty if the verdict does not depend on the called services, or if calls
    /// take less than a tenth of a request's time.
    public static Optional<String> of(RunResult r) {
        Optional<Round> now = r.operatingPoint().map(OperatingPoint::round);
        Optional<Double> nowMs = now.flatMap(DownstreamText::ms);
        if (!BEFORE_IT.contains(r.verdict().bottleneck())
                || nowMs.filter(ms -> ms >= MATTERS * now.get().rtMs().mean()).isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                Highlights.lowestBreakdownRound(r, now.get())
                        .map(low ->
                                ms(low).map(lowMs ->
                                                between(r, low, lowMs, now.get(), nowMs.get())
                                                        .says())
                                        .orElseGet(() ->
                                                UNKNOWN
                                                        + "the breakdown at "
                                                        + Highlights.load(low)
                                                        + " has no time in calls"))
                        .orElse(UNKNOWN + "no lower load has a breakdown"));
    }

    private static Optional<Double> ms(Round r) {
        return r.anatomy().map(DownstreamText::inCalls).filter(ms -> ms > 0);
    }

    private static double inCalls(Breakdown a) {
        return CALLS.stream().mapToDouble(a::ms).sum();
    }

    private static DownstreamText between(
            RunResult r, Round low, double lowMs, Round now, double nowMs) {
        double ratio = nowMs / lowMs;
        return new DownstreamText(
                low,
                lowMs,
                now,
                nowMs,
                window(r, low)
                        .flatMap(a ->
                                window(r, now).map(b -> WaitGrowth.counted(ratio, a, b, CALLS)))
                        .orElseGet(() -> new WaitGrowth(ratio, 0)));
    }

    private static Optional<ThreadSamples> window(RunResult r, Round round) {
        return r.census().stream()
                .filter(c -> c.concurrency() == round.concurrency() && c.dumps() > 0)
                .findFirst();
    }

    /// Returns the comparison as a sentence: `Its calls take 64 % longer at N=5 than at N=1: 57.4
    /// ms of a request at N=5 (4.8 calls at a time), 34.9 ms at N=1 (0.9 calls at a time); more
    /// calls at once only take longer`. If a limit of this service holds the calls back, more calls
    /// were not tried.
    String says() {
        return String.format(
                Locale.ROOT,
                "Its calls take %s at %s %s at %s: %s ms of a request at %s (%.1f calls at a time),"
                        + " %s ms at %s (%.1f calls at a time); %s",
                longer(),
                Highlights.load(now),
                isAsLong() ? "as" : "than",
                Highlights.load(low),
                Figures.number(nowMs),
                Highlights.load(now),
                atATime(now, nowMs),
                Figures.number(lowMs),
                Highlights.load(low),
                atATime(low, lowMs),
                growth.queues()
                        ? "more calls at once only take longer"
                        : "more at a time were not tried");
    }

    private String longer() {
        if (isAsLong()) {
            return "as long";
        }
        String error =
                growth.isWithinError() && growth.error() > 0
                        ? String.format(
                                Locale.ROOT, ", within the error of %.0f %%,", growth.error() * 100)
                        : "";
        return Math.abs(percent()) + (percent() > 0 ? " % longer" : " % less") + error;
    }

    private boolean isAsLong() {
        return percent() == 0
                || (growth.isWithinError() && Math.abs(growth.ratio() - 1) <= AS_LONG);
    }

    /// Returns the growth in whole percent.
    private long percent() {
        return Math.round((growth.ratio() - 1) * 100);
    }

    /// Returns the mean number of requests in calls of others, by Little's law.
    private static double atATime(Round round, double ms) {
        return round.qps() * ms / 1000;
    }
}
