package dev.jdyno.capacity;

import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Demand.Source;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The wait of a request for one cause, from two sources: thread dumps count the waiting threads,
/// and the flight recording contains every single wait. If both measure the same quantity, the
/// result is their mean, weighted by the inverse of their variances.
///
/// @param census the diagnostic windows below the knee
/// @param waits waits in the flight recording of these windows
record WaitSources(List<ThreadSamples> census, List<Insight.Wait> waits) {
    /// Minimum mean wait at which a flight recording counts as complete. The recording drops waits
    /// below 1 ms, which are rare if the mean is that long.
    private static final double WHOLE_FROM_MS = 4;

    /// Maximum difference of two sources, in standard errors of the difference, for them to measure
    /// the same quantity. A larger difference occurs if one source classifies a library's stack as
    /// another kind of wait.
    private static final double AGREE_WITHIN = 3;

    /// @param ms wait per request
    /// @param sources empty if only one source is known
    record Estimate(double ms, Optional<Interval> ci95, List<Source> sources) {}

    /// @param below rounds in which requests do not queue
    static WaitSources of(List<Round> below, List<ThreadSamples> census, List<Insight.Wait> waits) {
        Set<Integer> loads = below.stream().map(Round::concurrency).collect(Collectors.toSet());
        return new WaitSources(
                census.stream().filter(c -> loads.contains(c.concurrency())).toList(),
                waits.stream().filter(w -> loads.contains(w.concurrency())).toList());
    }

    /// @param ms wait per request, from the thread dumps
    /// @param ci95 interval of `ms`
    Estimate of(Cause cause, double ms, Optional<Interval> ci95) {
        double seen = census.stream().mapToDouble(c -> c.dumps() * c.threads(cause)).sum();
        Optional<Recorded> recorded = recorded(cause);
        if (seen <= 0 || recorded.isEmpty()) {
            return new Estimate(ms, ci95, List.of());
        }
        // the number of waiting threads is assumed to have a Poisson distribution
        return weighed(ms, ms / Math.sqrt(seen), ci95, recorded.get());
    }

    private static Estimate weighed(
            double dumpsMs, double dumpsError, Optional<Interval> ci95, Recorded recorded) {
        boolean isShort = recorded.meanMs < WHOLE_FROM_MS;
        boolean apart =
                Math.abs(recorded.ms - dumpsMs)
                        > AGREE_WITHIN * Math.hypot(dumpsError, recorded.error);
        if (isShort || apart) {
            Source.Reason not =
                    isShort ? Source.Reason.SHORT_WAITS : Source.Reason.SOURCES_DISAGREE;
            return new Estimate(
                    dumpsMs,
                    ci95,
                    List.of(
                            new Source(Source.Kind.THREAD_DUMPS, dumpsMs, dumpsError, 1, not),
                            new Source(
                                    Source.Kind.FLIGHT_RECORDING,
                                    recorded.ms,
                                    recorded.error,
                                    0,
                                    not)));
        }
        double byDumps = 1 / (dumpsError * dumpsError);
        double byRecording = 1 / (recorded.error * recorded.error);
        double share = byDumps / (byDumps + byRecording);
        double ms = share * dumpsMs + (1 - share) * recorded.ms;
        double half = Interval.NORMAL_95 / Math.sqrt(byDumps + byRecording);
        return new Estimate(
                ms,
                Optional.of(new Interval(Math.max(0, ms - half), ms + half)),
                List.of(
                        new Source(
                                Source.Kind.THREAD_DUMPS,
                                dumpsMs,
                                dumpsError,
                                share,
                                Source.Reason.STANDARD_ERROR),
                        new Source(
                                Source.Kind.FLIGHT_RECORDING,
                                recorded.ms,
                                recorded.error,
                                1 - share,
                                Source.Reason.STANDARD_ERROR)));
    }

    /// @param ms wait per request
    /// @param error standard error of `ms`
    /// @param meanMs mean length of one wait; a request may have several
    private record Recorded(double ms, double error, double meanMs) {}

    /// Returns the recorded waits of the window with most waits of this cause. Empty if none was
    /// recorded, or if the recording kept only their sum.
    private Optional<Recorded> recorded(Cause cause) {
        Map<Integer, List<Insight.Wait>> byLoad =
                waits.stream()
                        .filter(w -> w.cause() == cause && w.perRequestMs() > 0)
                        .collect(Collectors.groupingBy(Insight.Wait::concurrency));
        return byLoad.values().stream()
                .filter(places -> places.stream().allMatch(w -> w.length().isPresent()))
                .max(Comparator.comparingLong(WaitSources::count))
                .map(WaitSources::recorded);
    }

    private static long count(List<Insight.Wait> places) {
        return places.stream().mapToLong(Insight.Wait::count).sum();
    }

    /// Returns the wait per request of one window, with its error. A request that is in flight when
    /// the window begins or ends waits partly outside of the window. The error is computed from
    /// their number.
    private static Recorded recorded(List<Insight.Wait> places) {
        double perRequest = 0;
        double all = 0;
        double variance = 0;
        for (Insight.Wait w : places) {
            Insight.WaitLength length = w.length().orElseThrow();
            perRequest += w.perRequestMs();
            all += w.count() * length.meanMs();
            variance += w.count() * length.stdDevMs() * length.stdDevMs();
        }
        double requests = all / perRequest;
        double edge = perRequest * places.getFirst().concurrency() / requests;
        return new Recorded(
                perRequest, Math.hypot(Math.sqrt(variance) / requests, edge), all / count(places));
    }

    /// Returns the same sources with weight 0, because the figure comes from another source.
    static List<Source> unused(List<Source> sources, Source.Reason why) {
        List<Source> all = new ArrayList<>();
        for (Source s : sources) {
            all.add(new Source(s.kind(), s.ms(), s.standardErrorMs(), 0, why));
        }
        return all;
    }
}
