package dev.jdyno.measure;

import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.GoalKnee;
import dev.jdyno.measure.verdict.MeasuredLoad;
import dev.jdyno.measure.verdict.ReportedLoad;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// The load that a report describes. Verdict, evidence, breakdown, recommendations and what-ifs
/// have their figures for it. It is the lowest load that gives nearly the best throughput, has a
/// diagnostic window and shows the limit. At the limit, more load gives only longer response times.
/// A window is required because breakdown and evidence need it. Only if no load near the best has
/// one, a load without a window is taken.
///
/// @param round the round that was measured at that load
/// @param window diagnostic window with thread dumps at that load; empty if none was taken
public record OperatingPoint(Round round, Optional<ThreadSamples> window) {
    /// Minimum share of the best throughput for a load to give nearly the best. A smaller
    /// difference is the noise of a round.
    public static final double NEARLY_BEST = 0.95;

    /// The lowest load of the closed model that gives nearly the best throughput. Empty if no round
    /// had any throughput.
    public static Optional<OperatingPoint> of(Recording recording) {
        return candidates(recording, Optional.empty()).stream().findFirst();
    }

    /// Loads that may become the load of the report, the lowest first: those with a diagnostic
    /// window, or the lowest alone if no window was taken. Under response-time goals the rate that
    /// keeps them comes first, if a window was taken at that rate.
    ///
    /// @param goal result of a search; empty when the run had no goals
    public static List<OperatingPoint> candidates(Recording recording, Optional<GoalKnee> goal) {
        List<Round> rounds = undisturbed(recording.rounds());
        List<OperatingPoint> closed =
                loads(rounds).stream().map(n -> at(n, rounds, recording.census())).toList();
        List<OperatingPoint> seen = closed.stream().filter(p -> p.window().isPresent()).toList();
        List<OperatingPoint> all = new ArrayList<>();
        goal.filter(g -> !g.isUntested() && !g.holdsNowhere())
                .flatMap(g -> atRate(recording, g.good().orElse(g.estimate())))
                .ifPresent(all::add);
        all.addAll(seen.isEmpty() ? closed.stream().limit(1).toList() : seen);
        return all;
    }

    /// Loads below the reported one that also give nearly the best throughput, and why none of them
    /// is the load of the report.
    ///
    /// @param withoutWindow no diagnostic window was taken there
    /// @param withoutLimit the limit does not show there
    public record PassedOver(List<Integer> withoutWindow, List<Integer> withoutLimit) {
        public static final PassedOver NONE = new PassedOver(List.of(), List.of());

        public PassedOver {
            withoutWindow = List.copyOf(withoutWindow);
            withoutLimit = List.copyOf(withoutLimit);
        }
    }

    /// Lower loads that the report omits although they give nearly the best throughput; none if the
    /// load of the report is a rate.
    public static PassedOver passedOver(Recording recording, OperatingPoint point) {
        if (point.isRate()) {
            return PassedOver.NONE;
        }
        Map<Boolean, List<Integer>> lower =
                loads(undisturbed(recording.rounds())).stream()
                        .filter(n -> n < point.concurrency())
                        .collect(
                                Collectors.partitioningBy(
                                        n -> window(recording.census(), n).isPresent()));
        return new PassedOver(
                lower.getOrDefault(false, List.of()), lower.getOrDefault(true, List.of()));
    }

    /// The operating point at a given load of a recording; empty if no round was measured at that
    /// load.
    public static Optional<OperatingPoint> at(Recording recording, ReportedLoad load) {
        List<Round> rounds = recording.rounds().stream().filter(r -> load.equals(of(r))).toList();
        return rounds.isEmpty()
                ? Optional.empty()
                : Optional.of(at(load.concurrency(), rounds, recording.census()));
    }

    /// Concurrencies that give nearly the best throughput, the lowest first.
    public static List<Integer> loads(List<Round> rounds) {
        var means =
                rounds.stream()
                        .collect(
                                Collectors.groupingBy(
                                        Round::concurrency,
                                        Collectors.averagingDouble(Round::qps)));
        double best = means.values().stream().mapToDouble(v -> v).max().orElse(0);
        return means.entrySet().stream()
                .filter(e -> best > 0 && e.getValue() >= NEARLY_BEST * best)
                .map(e -> e.getKey())
                .sorted()
                .toList();
    }

    /// Rounds of the closed model with any throughput that other processes did not disturb. If all
    /// of them were disturbed, all are returned.
    private static List<Round> undisturbed(List<Round> rounds) {
        List<Round> closed =
                rounds.stream()
                        .filter(r -> r.ratePerS().isEmpty() && r.qps() > 0 && r.rtMs().mean() > 0)
                        .toList();
        List<Round> quiet = closed.stream().filter(r -> r.disturbance().isEmpty()).toList();
        return quiet.isEmpty() ? closed : quiet;
    }

    /// The operating point at a concurrency. Among several rounds at that concurrency it takes the
    /// one whose throughput is nearest to that of the window.
    private static OperatingPoint at(
            int concurrency, List<Round> rounds, List<ThreadSamples> windows) {
        Optional<ThreadSamples> window = window(windows, concurrency);
        List<Round> there = rounds.stream().filter(r -> r.concurrency() == concurrency).toList();
        double mean = there.stream().mapToDouble(Round::qps).average().orElse(0);
        double qps = window.map(ThreadSamples::qps).filter(x -> x > 0).orElse(mean);
        return new OperatingPoint(
                there.stream()
                        .min(Comparator.comparingDouble(r -> Math.abs(r.qps() - qps)))
                        .orElseThrow(),
                window);
    }

    private static Optional<OperatingPoint> atRate(Recording recording, double ratePerS) {
        return recording.rounds().stream()
                .filter(r -> r.ratePerS().isPresent() && r.qps() > 0 && r.rtMs().mean() > 0)
                .filter(r -> window(recording.census(), r.concurrency()).isPresent())
                .min(
                        Comparator.comparingDouble(
                                r -> Math.abs(r.ratePerS().orElseThrow() - ratePerS)))
                .map(r -> new OperatingPoint(r, window(recording.census(), r.concurrency())));
    }

    private static Optional<ThreadSamples> window(List<ThreadSamples> windows, int concurrency) {
        return windows.stream()
                .filter(c -> c.concurrency() == concurrency && c.dumps() > 0)
                .max(Comparator.comparingInt(ThreadSamples::dumps));
    }

    public ReportedLoad reported() {
        return of(round);
    }

    private static ReportedLoad of(Round round) {
        return new ReportedLoad(round.concurrency(), round.ratePerS());
    }

    public int concurrency() {
        return round.concurrency();
    }

    /// True if the load is the rate of an open model. Its throughput is set by the client and is
    /// not a result.
    public boolean isRate() {
        return round.ratePerS().isPresent();
    }

    /// The base from which predictions are scaled. Empty for a rate, because a change of the
    /// service does not change its throughput.
    public Optional<MeasuredLoad> load(Recording recording) {
        return isRate() ? Optional.empty() : Optional.of(recording.load(round));
    }
}
