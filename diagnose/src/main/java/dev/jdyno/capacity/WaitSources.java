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

/// How long a request waits for one cause, by two sources: thread dumps count the threads in it,
/// the flight recording has every single wait. Where both see the same quantity, each weighs by the
/// inverse of its variance.
///
/// @param census the diagnostic windows below the knee
/// @param waits of the flight recording in these windows
record WaitSources(List<ThreadSamples> census, List<Insight.Wait> waits) {
    /// The flight recording drops waits of less than 1 ms: of waits this long on average hardly any
    /// is missing.
    private static final double WHOLE_FROM_MS = 4;

    /// Two sources that lie further apart, in standard errors of their difference, do not see the
    /// same quantity: a library's stack may be taken for another wait in one of them.
    private static final double AGREE_WITHIN = 3;

    /// @param ms per request
    /// @param sources empty where only one source is known
    record Estimate(double ms, Optional<Interval> ci95, List<Source> sources) {}

    /// @param below rounds in which requests do not queue
    static WaitSources of(List<Round> below, List<ThreadSamples> census, List<Insight.Wait> waits) {
        Set<Integer> loads = below.stream().map(Round::concurrency).collect(Collectors.toSet());
        return new WaitSources(
                census.stream().filter(c -> loads.contains(c.concurrency())).toList(),
                waits.stream().filter(w -> loads.contains(w.concurrency())).toList());
    }

    /// @param ms that dumps give, per request
    /// @param ci95 of it
    Estimate of(Cause cause, double ms, Optional<Interval> ci95) {
        double seen = census.stream().mapToDouble(c -> c.dumps() * c.threads(cause)).sum();
        Optional<Recorded> recorded = recorded(cause);
        if (seen <= 0 || recorded.isEmpty()) {
            return new Estimate(ms, ci95, List.of());
        }
        // who comes and who leaves is taken as Poisson
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

    /// @param ms per request
    /// @param error standard error of `ms`
    /// @param meanMs of one wait; a request may have several
    private record Recorded(double ms, double error, double meanMs) {}

    /// The window with the most waits of this cause; empty where none was recorded, or only their
    /// sum was kept.
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

    /// Requests that are under way when the window begins or ends have a part of their waits
    /// outside of it: that many more or fewer are chance.
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

    /// The same sources where none of them gives the figure.
    static List<Source> unused(List<Source> sources, Source.Reason why) {
        List<Source> all = new ArrayList<>();
        for (Source s : sources) {
            all.add(new Source(s.kind(), s.ms(), s.standardErrorMs(), 0, why));
        }
        return all;
    }
}
