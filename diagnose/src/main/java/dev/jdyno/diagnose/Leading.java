package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.Recommendations.Aim;
import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.ChangeName;
import dev.jdyno.measure.verdict.Expected;
import dev.jdyno.measure.verdict.KnownChange;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.WhatIf;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Puts a recommendation with a gain first. Changes without a gain, by their own figures or by the
/// model's prediction of the same change, come later. So do changes of unknown gain. If no change
/// has a gain, the first recommendation says so and names what to measure next.
final class Leading {
    /// Minimum change of throughput or response time, as a share, that counts as a gain. A smaller
    /// change is within the difference between two runs of the same service.
    static final double WORTH = 0.03;

    /// Changes that are recommended first even without a predicted gain: they end a deadlock, or
    /// remove a flag that keeps all code slow.
    private static final Set<ChangeName> CERTAIN =
            Set.of(KnownChange.POOL_ONE_EACH, KnownChange.LOCK_ORDER, KnownChange.COMPILER_ON);

    /// Limits at which requests fail or will fail. A change against them is useful even without
    /// more throughput.
    private static final Set<Bottleneck> FAILURES =
            EnumSet.of(Bottleneck.GC_LEAK, Bottleneck.PORTS, Bottleneck.ACCEPT_QUEUE);

    private final Situation s;

    private enum Worth {
        GAINS,
        UNKNOWN,
        NOTHING
    }

    private Leading(Situation s) {
        this.s = s;
    }

    /// Returns the recommendation with the model's prediction of the same change, if the model
    /// predicts no gain. One change must have one result.
    static Recommendation notDenied(Recommendation r, Situation s) {
        if (r.predictedQpsRatio().isEmpty() || r.isAboutResponseTime() || s.knee().isEmpty()) {
            return r;
        }
        return s.whatIf().entrySet().stream()
                .filter(w -> w.getKey().isMadeBy(r))
                .map(Map.Entry::getValue)
                .filter(w -> isNothing(qpsRatio(w, s), rtRatio(w, s)))
                .findFirst()
                .map(w ->
                        r.predicting(
                                qpsRatio(w, s),
                                Math.min(1, rtRatio(w, s)),
                                "the model of this run: " + w.formula()))
                .orElse(r);
    }

    private static double qpsRatio(WhatIf w, Situation s) {
        return Math.max(1, w.qpsRatio(s.knee().orElseThrow(), s.now().qps()));
    }

    private static double rtRatio(WhatIf w, Situation s) {
        return w.rtRatio(s.knee().orElseThrow(), s.now().concurrency());
    }

    private static boolean isNothing(double qpsRatio, double rtRatio) {
        return qpsRatio < 1 + WORTH && rtRatio > 1 - WORTH;
    }

    /// @return the recommendations in their order, those with a gain first. If none has one, what
    ///   to measure next is first
    static List<Recommendation> first(List<Recommendation> all, Situation s, Aim aim) {
        var leading = new Leading(s);
        List<Recommendation> ordered = new ArrayList<>(leading.ordered(all, true, aim));
        List<Recommendation> others = leading.ordered(all, false, aim);
        if (ordered.isEmpty()) {
            ordered.add(leading.measureNext(others));
        }
        ordered.addAll(others);
        return List.copyOf(ordered);
    }

    /// Returns the recommendations in their order. A target for a place is left out if an edit
    /// before it names the same place.
    static List<Recommendation> withoutRepeated(List<Recommendation> ordered) {
        Set<String> above = new HashSet<>();
        List<Recommendation> all = new ArrayList<>();
        for (Recommendation r : ordered) {
            Set<String> places =
                    r.changes().stream()
                            .filter(Change.CodeAt.class::isInstance)
                            .map(c -> ((Change.CodeAt) c).method())
                            .collect(Collectors.toSet());
            boolean repeated =
                    r.change().name() == KnownChange.CPU_HALVE
                            && !places.isEmpty()
                            && above.containsAll(places);
            if (!repeated) {
                all.add(r);
            }
            above.addAll(places);
        }
        return List.copyOf(all);
    }

    private List<Recommendation> ordered(List<Recommendation> all, boolean gaining, Aim aim) {
        return Order.sorted(
                all.stream().filter(r -> gaining == (worth(r) == Worth.GAINS)).toList(), s, aim);
    }

    private Worth worth(Recommendation r) {
        if (FAILURES.contains(s.verdict().bottleneck()) || CERTAIN.contains(r.change().name())) {
            return Worth.GAINS;
        }
        if (r.isAboutResponseTime()) {
            return r.predictedRtRatio().orElse(1.0) <= 1 - WORTH ? Worth.GAINS : Worth.NOTHING;
        }
        if (r.predictedQpsRatio().isEmpty()) {
            return Worth.UNKNOWN;
        }
        double qps = r.expected().map(this::qpsRatio).orElse(r.predictedQpsRatio().get());
        double rt =
                r.expected()
                        .map(e -> e.rtMs() / s.now().rtMs().mean())
                        .orElseGet(() -> r.predictedRtRatio().orElse(1.0));
        return isNothing(qps, rt) ? Worth.NOTHING : Worth.GAINS;
    }

    private double qpsRatio(Expected e) {
        return e.qps() / s.now().qps();
    }

    private Recommendation measureNext(List<Recommendation> others) {
        boolean unknown = others.stream().anyMatch(r -> worth(r) == Worth.UNKNOWN);
        Sentence says =
                Sentence.format(
                        unknown
                                ? "No change of the service is known to gain anything here; %s"
                                : "Nothing here is worth a change; %s",
                        limits());
        return new RecommendationList()
                .byHand(
                        KnownChange.MEASURE_NEXT,
                        says,
                        "measure next: " + next(unknown),
                        Gain.unknown(why(others, unknown)),
                        List.of(new Change.Outside()))
                .list()
                .getFirst();
    }

    private Sentence limits() {
        Bottleneck name = s.verdict().bottleneck();
        if (name == Bottleneck.UNKNOWN) {
            return Sentence.of("what limits was not found");
        }
        if (name == Bottleneck.CLIENT) {
            return Sentence.of("what limits is the load generator");
        }
        return s.verdict().where().isBlank()
                ? Sentence.format("what limits is %s", name.key())
                : Sentence.format("what limits is %s at %s", name.key(), s.verdict().where());
    }

    private String next(boolean unknown) {
        int twice = 2 * s.evidence().plateau().concurrency();
        return switch (s.verdict().bottleneck()) {
            case UNKNOWN ->
                    say(
                            "on a test instance, `jdyno run --concurrency %d --stages CLASS.METHOD`"
                                    + " times the methods that handle a request, at twice the load",
                            twice);
            case CLIENT ->
                    "the same loads with `--agents` on other machines, which take the load generator"
                            + " off this one";
            case LOAD ->
                    say("on a test instance, `jdyno run --concurrency %d`: twice the load", twice);
            default ->
                    unknown
                            ? "make the next change below and run the same loads again; jdyno"
                                    + " compare shows the gain"
                            : "`jdyno run --prove` changes the limiting resource and checks"
                                    + " whether throughput follows";
        };
    }

    private static String why(List<Recommendation> others, boolean unknown) {
        return others.isEmpty()
                ? "no change is known for it"
                : unknown
                        ? others.getFirst().formula()
                        : say(
                                "each of the %d changes gives less than %.0f %% more throughput"
                                        + " or shorter responses",
                                others.size(), WORTH * 100);
    }
}
