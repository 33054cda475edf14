package dev.jdyno.measure;

import dev.jdyno.measure.load.LoadFacts;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.MeasuredLoad;
import dev.jdyno.measure.verdict.Validity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// All that one trial measured: the input of capacity and diagnosis.
///
/// @param census the diagnostic windows, each at a concurrency of its own; those in which the
///   target gave no thread dump have counters alone
/// @param warmupSeconds empty where there was none, and in results of earlier versions
/// @param insight flame graphs and stages
/// @param partial whether it was interrupted before its end
/// @param load empty where the load was not ours
/// @param rounds those that count; one that others disturbed is among them only for want of a
///   better one at its load
/// @param leftOut rounds that others disturbed and that count for nothing
public record Recording(
        Machine machine,
        TargetFacts target,
        Optional<Double> warmupSeconds,
        List<Round> rounds,
        List<ThreadSamples> census,
        List<Validity.Warning> warnings,
        boolean partial,
        Insight insight,
        Optional<LoadFacts> load,
        List<Round> leftOut) {
    /// Requests that fail take less time: rounds with a larger share of errors say nothing of those
    /// that do not.
    private static final double MOST_ERRORS = 0.05;

    public Recording {
        rounds = List.copyOf(rounds);
        census = List.copyOf(census);
        warnings = List.copyOf(warnings);
        leftOut = List.copyOf(leftOut);
    }

    /// The same, cut short.
    public Recording asPartial() {
        return new Recording(
                machine,
                target,
                warmupSeconds,
                rounds,
                census,
                warnings,
                true,
                insight,
                load,
                leftOut);
    }

    /// The same, with something more that must be known of it.
    public Recording with(Validity.Warning warning) {
        List<Validity.Warning> all = new ArrayList<>(warnings);
        all.add(warning);
        return new Recording(
                machine,
                target,
                warmupSeconds,
                rounds,
                census,
                all,
                partial,
                insight,
                load,
                leftOut);
    }

    /// The same, with what is known of the target by now.
    public Recording withTarget(TargetFacts facts) {
        return new Recording(
                machine,
                facts,
                warmupSeconds,
                rounds,
                census,
                warnings,
                partial,
                insight,
                load,
                leftOut);
    }

    /// Without flame graphs and stages, and what is known of the load.
    public Recording(
            Machine machine,
            TargetFacts target,
            Optional<Double> warmupSeconds,
            List<Round> rounds,
            List<ThreadSamples> census,
            List<Validity.Warning> warnings,
            boolean partial) {
        this(
                machine,
                target,
                warmupSeconds,
                rounds,
                census,
                warnings,
                partial,
                Insight.NONE,
                Optional.empty(),
                List.of());
    }

    /// The same, with the rounds that others disturbed and that do not count.
    public Recording leavingOut(List<Round> disturbed) {
        return copy(rounds, census, insight, disturbed);
    }

    public Recording withRounds(List<Round> changed) {
        return copy(changed, census, insight, leftOut);
    }

    /// The same, with other thread samples.
    public Recording withCensus(List<ThreadSamples> changed) {
        return copy(rounds, changed, insight, leftOut);
    }

    /// The same, with what was seen inside the target.
    public Recording withInsight(Insight seen) {
        return copy(rounds, census, seen, leftOut);
    }

    private Recording copy(
            List<Round> counted, List<ThreadSamples> samples, Insight seen, List<Round> disturbed) {
        return new Recording(
                machine,
                target,
                warmupSeconds,
                counted,
                samples,
                warnings,
                partial,
                seen,
                load,
                disturbed);
    }

    /// The round of the closed model with the most throughput; empty where none had any.
    public Optional<Round> ofMostThroughput() {
        return rounds.stream()
                .filter(r -> r.ratePerS().isEmpty() && r.qps() > 0 && r.rtMs().mean() > 0)
                .max(Comparator.comparingDouble(Round::qps));
    }

    /// The round of the operating point, the load that a report speaks of. Empty where no round had
    /// any throughput.
    public Optional<Round> reported() {
        return OperatingPoint.of(this).map(OperatingPoint::round);
    }

    /// What predictions at the load of a round are scaled from. A request takes no longer when it
    /// is alone than the least mean of any round up to that load.
    public MeasuredLoad load(Round round) {
        double alone =
                rounds.stream()
                        .filter(r -> r.ratePerS().isEmpty() && r.rtMs().mean() > 0)
                        .filter(r -> r.concurrency() <= round.concurrency())
                        .filter(r -> r.errorShare() <= MOST_ERRORS)
                        .mapToDouble(Round::rtMsByLittle)
                        .min()
                        .orElse(round.rtMs().mean());
        return new MeasuredLoad(
                round.concurrency(), round.qps(), round.qpsCi95(), round.rtMs().mean(), alone);
    }
}
