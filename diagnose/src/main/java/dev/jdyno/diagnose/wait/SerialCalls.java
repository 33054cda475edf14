package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.Lines;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.diagnose.wait.DownstreamSerialRule.Series;
import dev.jdyno.measure.Insight.CallRate;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Expected;
import dev.jdyno.measure.verdict.KnownChange;
import dev.jdyno.measure.verdict.MeasuredLoad;
import java.util.Optional;
import java.util.stream.Stream;

/// Calls of other services that a request makes one after the other, at the lowest load with a
/// diagnostic window. No request queues there, so the response time consists of the calls and the
/// request's own time. Parallel calls would shorten it even if the calls do not limit throughput.
///
/// @param low the round of that load
/// @param calls number of the calls
/// @param place method with file and line, or the services
/// @param sumMs time of all calls
/// @param longestMs time of the longest call
record SerialCalls(Round low, int calls, String place, double sumMs, double longestMs) {
    /// Minimum share of the response time for calls to be most of it.
    static final double MIN_SHARE_OF_TIME = 0.5;

    /// Maximum number of threads that wait for a task, as a share of the threads in calls. Above
    /// it, tasks may already make the calls in parallel.
    private static final double BY_TASKS = 0.2;

    /// Minimum number of calls per request at one line that counts as more than one.
    private static final double SEVERAL = 1.5;

    /// Maximum number of threads in calls per request in flight, at which a request makes one call
    /// at a time. It is above 1 because of the error of few dumps.
    private static final double ONE_AT_A_TIME = 1.1;

    /// The sequential calls. Empty if calls take little of the response time, are made in parallel,
    /// or their number is unknown.
    static Optional<SerialCalls> of(Situation s) {
        return s.alone()
                .filter(low -> low.concurrency() == 1 || low.concurrency() < s.now().concurrency())
                .flatMap(low ->
                        Stream.concat(
                                        s.evidence().relaxed().stream(),
                                        s.evidence().saturated().stream())
                                .filter(c -> c.concurrency() == low.concurrency())
                                .filter(SerialCalls::isOneAtATime)
                                .findFirst()
                                .flatMap(c -> at(s, low, c)));
    }

    private static boolean isOneAtATime(ThreadSamples window) {
        double inCalls = window.threads(Cause.DOWNSTREAM);
        return inCalls <= ONE_AT_A_TIME * window.concurrency()
                && window.threads(Cause.FUTURE) <= BY_TASKS * inCalls
                && window.top(Cause.DOWNSTREAM).filter(b -> !b.async()).isPresent();
    }

    private static Optional<SerialCalls> at(Situation s, Round low, ThreadSamples window) {
        double sum = low.anatomy().map(a -> a.ms(Cause.DOWNSTREAM)).orElse(0.0);
        double rt = low.rtMs().mean();
        if (rt <= 0 || sum < MIN_SHARE_OF_TIME * rt) {
            return Optional.empty();
        }
        var series = Series.of(window);
        Optional<CallRate> counted = SiteLines.mostCalls(s.evidence(), window.concurrency());
        if (series.parts().size() >= 2) {
            return Optional.of(series)
                    .filter(several -> several.saved() >= DownstreamSerialRule.SAVED_LIMIT)
                    .filter(several -> passesAll(s, low, window, several, sum))
                    .map(several ->
                            new SerialCalls(
                                    low,
                                    several.parts().size(),
                                    place(several),
                                    sum,
                                    sum * (1 - several.saved())));
        }
        return counted.filter(r -> r.perRequest() >= SEVERAL)
                .map(r ->
                        new SerialCalls(
                                low,
                                (int) Math.round(r.perRequest()),
                                r.at().place(),
                                sum,
                                sum / r.perRequest()));
    }

    private static String place(Series series) {
        return series.sites()
                .map(sites -> sites.text())
                .orElseGet(
                        () -> String.join(", ", series.parts().stream().map(p -> p.in()).toList()));
    }

    /// True if each request makes all of the calls. If each request made only some of them, half of
    /// the requests would take less time, or fewer calls would be counted.
    private static boolean passesAll(
            Situation s, Round low, ThreadSamples window, Series series, double sumMs) {
        double counted =
                s.evidence().insight().calls().stream()
                        .filter(r -> r.concurrency() == window.concurrency())
                        .filter(r -> r.cause() == Cause.DOWNSTREAM)
                        .mapToDouble(CallRate::perRequest)
                        .sum();
        boolean longEnough =
                series.parts().stream()
                        .allMatch(p ->
                                p.threads() / series.threads() * sumMs
                                        >= DownstreamSerialRule.COUNTED_MS);
        boolean fewer =
                counted > 0
                        && longEnough
                        && counted < DownstreamSerialRule.ALL_MADE * series.parts().size();
        return !fewer && low.rtMs().p50() >= DownstreamSerialRule.MEDIAN_LIMIT * sumMs;
    }

    /// Returns the response time with parallel calls ÷ the present one, at that load.
    double after() {
        return 1 - (sumMs - longestMs) / low.rtMs().mean();
    }

    /// Recommends parallel calls for a shorter response time only: no resource is used less.
    RecommendationList recommendation(Situation s) {
        double rt = low.rtMs().mean();
        return new RecommendationList()
                .byHand(
                        KnownChange.CALLS_PARALLEL,
                        say(
                                "For response time, not throughput: make the %d calls at %s at the same"
                                        + " time; one after the other they are %s of the %s ms at N=%d",
                                calls, place, Lines.ms(sumMs), Lines.ms(rt), low.concurrency()),
                        RemoteRecommendations.HOW_PARALLEL,
                        new Gain(
                                Optional.empty(),
                                Optional.of(after()),
                                false,
                                say(
                                        "critical path (F1, E13) at N=%d: %s ms less %s ms of calls, and %s ms"
                                                + " of the longest; no resource is used less, so the best"
                                                + " throughput stays",
                                        low.concurrency(),
                                        Lines.ms(rt),
                                        Lines.ms(sumMs),
                                        Lines.ms(longestMs))))
                .expecting(expected(s, low, after()));
    }

    /// Returns the expected figures at the load of a round. By Little's law, throughput with the
    /// same number in flight grows in proportion as response time falls, as far as CPU allows.
    static Expected expected(Situation s, Round at, double rtRatio) {
        double max =
                s.cpuAllows(0).map(times -> times * s.now().qps() / at.qps()).orElse(1 / rtRatio);
        return Expected.of(
                new MeasuredLoad(at.concurrency(), at.qps(), at.qpsCi95(), at.rtMs().mean(), 0),
                Math.min(1 / rtRatio, max),
                rtRatio,
                0);
    }
}
