package dev.jdyno.measure;

import dev.jdyno.measure.load.LoadFacts;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.MeasuredLoad;
import dev.jdyno.measure.verdict.Validity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// All measurements of one trial: the input of capacity and diagnosis.
///
/// @param census the diagnostic windows, each at another concurrency. A window without a thread
///   dump has only counters.
/// @param warmupSeconds empty if there was no warm-up, and in results of earlier versions
/// @param insight flame graphs and stages
/// @param partial whether the trial was interrupted before its end
/// @param load empty if jdyno did not send the load
/// @param rounds the rounds of the result. A disturbed round is among them only if there is no
///   better round at its load.
/// @param leftOut disturbed rounds that do not count
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
    /// Maximum share of errors for a round to give the response time of a request alone. Failed
    /// requests take less time, so a round with more errors is not evidence about good requests.
    private static final double MAX_ERRORS = 0.05;

    public Recording {
        rounds = List.copyOf(rounds);
        census = List.copyOf(census);
        warnings = List.copyOf(warnings);
        leftOut = List.copyOf(leftOut);
    }

    /// The same recording, marked as partial.
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

    /// The same recording with one more warning.
    public Recording with(Validity.Warning warning) {
        List<Validity.Warning> all = new ArrayList<>(warnings);
        all.add(warning);
        return warning(all);
    }

    /// The same recording without the warnings of this id.
    public Recording withoutWarning(String id) {
        return warning(warnings.stream().filter(w -> !w.id().equals(id)).toList());
    }

    private Recording warning(List<Validity.Warning> all) {
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

    /// The same recording with newer facts of the target.
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

    /// A recording without flame graphs, stages and facts of the load.
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

    /// The same recording with the disturbed rounds that do not count.
    public Recording leavingOut(List<Round> disturbed) {
        return copy(rounds, census, insight, disturbed);
    }

    public Recording withRounds(List<Round> changed) {
        return copy(changed, census, insight, leftOut);
    }

    /// The same recording with other thread samples.
    public Recording withThreadSamples(List<ThreadSamples> changed) {
        return copy(rounds, changed, insight, leftOut);
    }

    /// The same recording with insights into the target.
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

    /// The round of the closed model with the most throughput; empty if no round had any.
    public Optional<Round> atPeakThroughput() {
        return rounds.stream()
                .filter(r -> r.ratePerS().isEmpty() && r.qps() > 0 && r.rtMs().mean() > 0)
                .max(Comparator.comparingDouble(Round::qps));
    }

    /// The round at the operating point, the load of the report. Empty if no round had any
    /// throughput.
    public Optional<Round> reported() {
        return OperatingPoint.of(this).map(OperatingPoint::round);
    }

    /// The base from which predictions at the load of a round are scaled. The time of a request
    /// alone is the smallest mean response time of all rounds up to that load.
    public MeasuredLoad load(Round round) {
        double alone =
                rounds.stream()
                        .filter(r -> r.ratePerS().isEmpty() && r.rtMs().mean() > 0)
                        .filter(r -> r.concurrency() <= round.concurrency())
                        .filter(r -> r.errorShare() <= MAX_ERRORS)
                        .mapToDouble(Round::rtMsByLittle)
                        .min()
                        .orElse(round.rtMs().mean());
        return new MeasuredLoad(
                round.concurrency(), round.qps(), round.qpsCi95(), round.rtMs().mean(), alone);
    }
}
