package dev.jdyno.trial;

import dev.jdyno.load.pacing.Level;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Disturbance;
import dev.jdyno.measure.DisturbedRounds;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.load.LoadPoint;
import dev.jdyno.measure.load.WarmUpFacts;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.verdict.DecidingWarning;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.observe.threads.CompilerSample;
import dev.jdyno.observe.threads.CompilerWatch;
import dev.jdyno.plan.Plan;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// Checks after the rounds whether the service was warm in them. The load rests, so that the
/// compilers have the cores, and then the load of the best round is repeated.
final class WarmCheck {
    private static final double MAX_REST_SECONDS = 30;

    private final Loading loading;
    private final TrialListener listener;

    WarmCheck(Loading loading, TrialListener listener) {
        this.loading = loading;
        this.listener = listener;
    }

    /// True if it is in doubt that the service was warm. In most runs the compilers have nothing
    /// left to do at the end of the warm-up, so there is no doubt.
    static boolean isWanted(WarmUpFacts warmUp) {
        return !warmUp.rests().isEmpty()
                || warmUp.compilers().queued().filter(q -> q > CompilerDemand.FEW).isPresent();
    }

    /// The facts with the result of the rest; unchanged if there is no round to repeat, or if the
    /// check was stopped.
    WarmUpFacts shown(WarmUpFacts facts, List<Round> rounds, Plan plan)
            throws InterruptedException {
        Optional<Round> best =
                rounds.stream()
                        .filter(r -> r.ratePerS().isEmpty())
                        .max(Comparator.comparingDouble(Round::qps));
        if (best.isEmpty() || loading.trialSetup().target().isEmpty()) {
            return facts;
        }
        listener.phase("a rest, and one round once more: is the service warm?");
        CompilerRest.Rested rested;
        Optional<Integer> queued;
        try (CompilerWatch watch = CompilerWatch.of(loading.trialSetup().target().get())) {
            CompilerSample before = watch.look(0);
            queued = before.queued();
            rested = CompilerRest.of(loading, watch, MAX_REST_SECONDS);
        }
        int concurrency = best.get().concurrency();
        loading.settle(
                new Level.Closed(concurrency, Duration.ZERO),
                Durations.seconds(plan.rounds().settle()));
        var windows = new Windows(LoadPoint.Part.WARM_UP);
        long seconds = Math.max(2, Math.round(best.get().seconds()));
        for (int s = 0; s < seconds; s++) {
            if (loading.slice(windows).isEmpty()) {
                return facts;
            }
        }
        return with(facts, best.get(), rested.seconds(), windows.round(concurrency), queued);
    }

    /// The facts with the comparison of the two rounds, or with the reason why they cannot be
    /// compared.
    static WarmUpFacts with(
            WarmUpFacts facts,
            Round before,
            double restSeconds,
            Round after,
            Optional<Integer> queued) {
        WarmUpFacts.After shown = compared(before, restSeconds, after, queued);
        return others(before, after, shown)
                .map(why -> withMissing(facts, why))
                .orElseGet(() -> facts.with(shown));
    }

    /// The reason why the two rounds cannot be compared: other processes took more of the cores in
    /// the round with lower throughput. If they took more in the faster round, the comparison is
    /// valid.
    private static Optional<String> others(Round before, Round after, WarmUpFacts.After shown) {
        if (before.cpu().isEmpty() || after.cpu().isEmpty()) {
            return Optional.empty();
        }
        CpuUse earlier = before.cpu().get();
        CpuUse later = after.cpu().get();
        Optional<Disturbance> by =
                shown.hasMore()
                        ? DisturbedRounds.between(earlier, later)
                        : DisturbedRounds.between(later, earlier);
        return by.map(_ ->
                String.format(
                        Locale.ROOT,
                        "it is not known whether throughput rises after a rest: other processes"
                                + " took %.2f cores in the round and %.2f when it was repeated",
                        DisturbedRounds.takenCores(earlier),
                        DisturbedRounds.takenCores(later)));
    }

    private static WarmUpFacts withMissing(WarmUpFacts facts, String why) {
        return new WarmUpFacts(
                facts.seconds(),
                facts.compilers(),
                facts.queuedMost(),
                facts.rests(),
                facts.after(),
                Stream.concat(facts.missing().stream(), Stream.of(why)).toList());
    }

    /// Compares two rounds at the same load.
    ///
    /// @param before a round of the result
    /// @param after the repetition after a rest
    static WarmUpFacts.After compared(
            Round before, double restSeconds, Round after, Optional<Integer> queued) {
        double ratio = before.qps() > 0 ? after.qps() / before.qps() : 1;
        double error = Math.hypot(relativeError(before), relativeError(after));
        return new WarmUpFacts.After(
                before.concurrency(),
                restSeconds,
                before.qps(),
                after.qps(),
                new Interval(ratio * Math.exp(-error), ratio * Math.exp(error)),
                queued);
    }

    private static double relativeError(Round round) {
        return round.qps() > 0 ? round.qpsCi95().width() / 2 / round.qps() : 0;
    }

    static Optional<Warning> warning(WarmUpFacts.After after) {
        return after.hasMore()
                ? Optional.of(
                        new Warning(
                                DecidingWarning.NOT_WARM.id(),
                                String.format(
                                        Locale.ROOT,
                                        "the service was not warm: after the rounds and a rest of %.1f s it"
                                                + " gives %.0f/s with %d in flight, %.0f %% more than in its round"
                                                + " (%.0f/s); give a longer --warmup",
                                        after.restSeconds(),
                                        after.qpsAfter(),
                                        after.concurrency(),
                                        (after.ratio() - 1) * 100,
                                        after.qpsBefore()),
                                false))
                : Optional.empty();
    }
}
