package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.advice.ApiAdvice;
import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.diagnose.wait.HolderWait;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.ChangeKind;
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
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Decides which recommendation is first: one with a gain. Not first are changes without a gain, by
/// their own figures or by the model's answer to the same change, and changes of unknown gain. If
/// there is no other, the first line says so and names what to measure next.
final class Leading {
    /// Minimum change of throughput or response time, as a share, that counts as a gain. Two runs
    /// of one service differ by as much.
    static final double WORTH = 0.03;

    /// Changes that are right whatever their gain: they end a deadlock, or remove a flag that keeps
    /// all code slow.
    private static final Set<ChangeName> CERTAIN =
            Set.of(KnownChange.POOL_ONE_EACH, KnownChange.LOCK_ORDER, KnownChange.COMPILER_ON);

    /// Limits at which requests fail or will fail. A change that ends them is worth more than its
    /// throughput.
    private static final Set<Bottleneck> FAILURES =
            EnumSet.of(Bottleneck.GC_LEAK, Bottleneck.PORTS, Bottleneck.ACCEPT_QUEUE);

    /// Recommendations that give a target (how much less or more) and no concrete edit.
    private static final Set<ChangeName> TARGETS =
            Set.of(
                    KnownChange.CPU_HALVE,
                    KnownChange.CORES_DOUBLE,
                    KnownChange.LOGGING_LESS,
                    KnownChange.ALLOCATE_LESS,
                    KnownChange.LIVE_LESS);

    /// Recommendations that name the kind of object to keep, but not the object. An edit names it.
    private static final Set<ChangeName> GENERAL =
            Set.of(KnownChange.CLASSES_KEEP, KnownChange.THREADS_REUSE);

    /// Recommendations that enlarge a queue.
    private static final Set<ChangeName> LARGER =
            Set.of(KnownChange.POOL_DOUBLE, KnownChange.THREADS, KnownChange.EXECUTOR_LARGER);

    /// Recommendations that halve what holds the places of a pool.
    private static final Set<ChangeName> WAITS_LESS =
            Set.of(KnownChange.WAIT_SHORTER, KnownChange.TASK_SHORTER, KnownChange.POOL_SHORTER);

    /// Minimum share of a target's gain for an edit to be placed before it. An edit that gives less
    /// is only a detail of the target.
    private static final double OF_THE_TARGET = 0.25;

    private final Situation s;

    private enum Worth {
        GAINS,
        UNKNOWN,
        NOTHING
    }

    private Leading(Situation s) {
        this.s = s;
    }

    /// Returns the recommendation with the model's answer to the same change, if that answer is no
    /// gain. One change must have one result.
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

    /// @param sorted the recommendations, the largest predicted gain first
    /// @return the same recommendations, those with a gain first. If none has one, what to measure
    ///   next is first
    static List<Recommendation> first(List<Recommendation> sorted, Situation s) {
        var leading = new Leading(s);
        List<Recommendation> gaining =
                sorted.stream().filter(r -> leading.worth(r) == Worth.GAINS).toList();
        List<Recommendation> others =
                sorted.stream().filter(r -> leading.worth(r) != Worth.GAINS).toList();
        List<Recommendation> all =
                leading.withinTheMachineFirst(leading.causesFirst(editsFirst(gaining)));
        if (gaining.isEmpty()) {
            all.add(leading.measureNext(others));
        }
        all.addAll(others);
        return List.copyOf(all);
    }

    /// Returns the recommendations without the target for a place that an edit above it names: the
    /// target says nothing more.
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

    /// Moves the edits that give a good part of the first target's gain directly before this
    /// target. A target that names no place also comes after any change that names one.
    private static List<Recommendation> editsFirst(List<Recommendation> gaining) {
        int at = 0;
        while (at < gaining.size() && !isTarget(gaining.get(at))) {
            at++;
        }
        if (at == gaining.size()) {
            return gaining;
        }
        Recommendation target = gaining.get(at);
        // fewer log lines name a method but no edit
        boolean placed =
                GENERAL.contains(target.change().name())
                        || (hasPlace(target) && target.change().name() != KnownChange.LOGGING_LESS);
        List<Recommendation> all = new ArrayList<>(gaining.subList(0, at));
        all.addAll(
                before(
                        gaining.subList(at, gaining.size()),
                        r -> ApiAdvice.isEdit(r) || (!placed && isPlacedChange(r))));
        return all;
    }

    private static boolean isTarget(Recommendation r) {
        return TARGETS.contains(r.change().name()) || GENERAL.contains(r.change().name());
    }

    /// Orders the size of a queue and what fills it. The holding time of each place is the cause of
    /// the queue, so a change of the code that shortens it comes before a larger pool. A wait that
    /// no code of the service can shorten comes after it: the time of another service that answers
    /// as fast as ever, or a wait without a known place.
    private List<Recommendation> causesFirst(List<Recommendation> gaining) {
        Optional<Recommendation> larger =
                gaining.stream().filter(r -> LARGER.contains(r.change().name())).findFirst();
        if (larger.isEmpty()) {
            return gaining;
        }
        boolean changedHere = HolderWait.of(s).filter(HolderWait::isChangedHere).isPresent();
        List<Recommendation> all =
                gaining.getFirst().equals(larger.get())
                        ? before(gaining, Leading::isCause)
                        : new ArrayList<>(gaining);
        List<Recommendation> ofTheWait = all.stream().filter(Leading::halvesTheWait).toList();
        boolean named = all.stream().anyMatch(Leading::isHoldAtAPlace);
        if (changedHere && !named) {
            moveBefore(larger.get(), ofTheWait, all);
        } else if (!changedHere) {
            ofTheWait.stream()
                    .findFirst()
                    .ifPresent(wait -> moveBefore(wait, List.of(larger.get()), all));
        }
        return all;
    }

    /// Moves those that come after a recommendation directly before it.
    private static void moveBefore(
            Recommendation mark, List<Recommendation> those, List<Recommendation> all) {
        List<Recommendation> after =
                those.stream().filter(r -> all.indexOf(r) > all.indexOf(mark)).toList();
        all.removeAll(after);
        all.addAll(all.indexOf(mark), after);
    }

    /// True if it is an edit of the code that fills a queue.
    private static boolean isCause(Recommendation r) {
        return isHoldAtAPlace(r)
                || ApiAdvice.isEdit(r)
                || r.change().name() == KnownChange.NO_DELAY
                || (r.change().name() == KnownChange.CALLS_PARALLEL && !r.isAboutResponseTime());
    }

    /// True if it names the code that holds a place, and what to do there.
    private static boolean isHoldAtAPlace(Recommendation r) {
        return ChangeKind.of(r) == ChangeKind.SHORTER_HOLD
                && r.change().name() != KnownChange.POOL_SHORTER
                && !r.says().names().isEmpty();
    }

    /// True if it halves the wait that holds the places of a pool.
    private static boolean halvesTheWait(Recommendation r) {
        return WAITS_LESS.contains(r.change().name());
    }

    /// Moves the matching recommendations to the front if they give a good part of the first one's
    /// gain.
    private static List<Recommendation> before(
            List<Recommendation> gaining, Predicate<Recommendation> which) {
        Recommendation first = gaining.getFirst();
        double target =
                GENERAL.contains(first.change().name())
                        ? 1
                        : first.predictedQpsRatio().orElse(1.0) - 1;
        List<Recommendation> those =
                gaining.stream()
                        .filter(which)
                        .filter(r ->
                                r.predictedQpsRatio().orElse(1.0) - 1 >= OF_THE_TARGET * target)
                        .toList();
        List<Recommendation> all = new ArrayList<>(gaining);
        all.removeAll(those);
        all.addAll(0, those);
        return all;
    }

    /// Moves changes that need more cores than the machine has behind all others.
    private List<Recommendation> withinTheMachineFirst(List<Recommendation> gaining) {
        List<Recommendation> all =
                new ArrayList<>(gaining.stream().filter(r -> !isBeyondTheMachine(r)).toList());
        gaining.stream().filter(this::isBeyondTheMachine).forEach(all::add);
        return all;
    }

    private boolean isBeyondTheMachine(Recommendation r) {
        return r.changes().stream()
                .anyMatch(c ->
                        c instanceof Change.Cores(double _, double to) && to > s.machineCores());
    }

    private static boolean isPlacedChange(Recommendation r) {
        return hasPlace(r) && !TARGETS.contains(r.change().name());
    }

    /// True if it names a place in the code, or is a setting.
    private static boolean hasPlace(Recommendation r) {
        return r.tryable() || !r.says().names().isEmpty();
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
                            "`jdyno run --concurrency %d --stages CLASS.METHOD` times the methods that"
                                    + " handle a request, at twice the load",
                            twice);
            case CLIENT ->
                    "the same loads with `--agents` on other machines, which take the load generator"
                            + " off this one";
            case LOAD -> say("`jdyno run --concurrency %d`: twice the load", twice);
            default ->
                    unknown
                            ? "make the next change below and run the same loads again; jdyno compare"
                                    + " says what it gave"
                            : "`jdyno run --prove` changes what limits and looks whether throughput"
                                    + " follows";
        };
    }

    private static String why(List<Recommendation> others, boolean unknown) {
        return others.isEmpty()
                ? "no change is known for it"
                : unknown
                        ? others.getFirst().formula()
                        : say(
                                "none of %d changes gives %.0f %% more throughput or as much shorter"
                                        + " responses",
                                others.size(), WORTH * 100);
    }
}
