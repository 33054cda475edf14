package dev.jdyno.diagnose;

import dev.jdyno.diagnose.Recommendations.Aim;
import dev.jdyno.diagnose.advice.ApiAdvice;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.diagnose.gain.FiguresLoad;
import dev.jdyno.diagnose.wait.HolderWait;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.ChangeKind;
import dev.jdyno.measure.verdict.ChangeName;
import dev.jdyno.measure.verdict.Expected;
import dev.jdyno.measure.verdict.KnownChange;
import dev.jdyno.measure.verdict.Recommendation;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/// The order of recommendations: the deepest cause first, then the larger lower end of the
/// predicted gain, then the larger predicted gain; changes that need more cores than the machine
/// has come last.
///
/// A cause is deeper than another change if it removes what the other one only makes room for. It
/// then ranks with the gain of that change, directly before it:
///
/// 1. Code that holds the places of a queue, before a larger queue, if it gives a quarter of its
///    gain.
/// 2. An edit, before a target (half the CPU, twice the cores), if it gives a quarter of its gain.
///    If the target names no place, so does any setting, and any change with a place. A setting
///    with half of the gain precedes every target.
/// 3. Half of the wait that holds the places, before a larger queue, if the service's code can
///    shorten that wait ([HolderWait#isChangedHere]); after it otherwise.
final class Order {
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

    /// Minimum share of another change's gain for a deeper one to precede it. A change that gives
    /// less is only a detail of the other one.
    private static final double OF_THE_GAIN = 0.25;

    /// Minimum share of a target's gain for a setting to precede it: a setting has a value, and a
    /// target in named code has none.
    private static final double OF_A_TARGET = 0.5;

    /// Steps of a ratio that count as different.
    private static final double STEPS = 50;

    private final List<Recommendation> all;
    private final Situation s;
    private final Aim aim;
    private final boolean enlarges;
    private final boolean shortensHere;

    /// How deep the cause is that a change removes, the deepest first. A change comes only before
    /// changes of later constants.
    private enum Depth {
        /// Code that fills a queue or takes the CPU.
        CAUSE,
        /// Any other change, such as a larger queue.
        OTHER,
        TARGET,
        /// A wait that no code of the service shortens.
        ELSEWHERE
    }

    /// Throughput after ÷ before, or response time before ÷ after; 0 if nothing is predicted.
    ///
    /// @param least lower end of the range
    /// @param predicted the predicted value; for a bound, the bound
    private record Gain(double least, double predicted) {
        Gain orMore(Gain other) {
            return new Gain(Math.max(least, other.least), Math.max(predicted, other.predicted));
        }
    }

    private record Ranked(
            Recommendation recommendation, boolean beyondMachine, Gain gain, Depth depth) {}

    private static final Comparator<Ranked> RULE =
            Comparator.comparing(Ranked::beyondMachine)
                    .thenComparingDouble(r -> -steps(r.gain().least()))
                    .thenComparingDouble(r -> -steps(r.gain().predicted()))
                    .thenComparing(Ranked::depth);

    /// Rounds a ratio, so that equal predictions keep the order of the rule.
    private static double steps(double ratio) {
        return Math.rint(ratio * STEPS);
    }

    private Order(List<Recommendation> all, Situation s, Aim aim) {
        this.all = all;
        this.s = s;
        this.aim = aim;
        this.enlarges = all.stream().anyMatch(r -> LARGER.contains(r.change().name()));
        this.shortensHere = HolderWait.of(s).filter(HolderWait::isChangedHere).isPresent();
    }

    /// Returns the recommendations in this order. Those that are equal by it stay in the order in
    /// which the rule gives them.
    static List<Recommendation> sorted(List<Recommendation> all, Situation s, Aim aim) {
        var order = new Order(all, s, aim);
        return all.stream()
                .map(r ->
                        new Ranked(
                                r, order.isBeyondTheMachine(r), order.counted(r), order.depth(r)))
                .sorted(RULE)
                .map(Ranked::recommendation)
                .toList();
    }

    /// Returns the gain with which a change is ranked: its own, or that of a change that it comes
    /// before, if that is more. It ends, because each step leads to a later depth.
    private Gain counted(Recommendation r) {
        return all.stream()
                .filter(other -> comesBefore(r, other))
                .map(this::counted)
                .reduce(own(r), Gain::orMore);
    }

    /// Returns the gain at the load of its figures, with their range. The lower end of a bound is
    /// no gain: its record is of the kind of change, and says nothing on which change of this
    /// service gains more.
    private Gain own(Recommendation r) {
        double ratio = ratio(r);
        double now = FiguresLoad.of(r, s).qps();
        if (aim == Aim.RT || ratio <= 1 || r.expected().isEmpty() || now <= 0) {
            return new Gain(r.atMost() ? Math.min(1, ratio) : ratio, ratio);
        }
        Expected e = r.expected().get();
        double least = r.atMost() ? 1 : e.ci95().map(Interval::lo).orElse(e.qps()) / now;
        return new Gain(least, e.qps() / now);
    }

    /// Returns the predicted ratio of what the user wants to improve: throughput after ÷ before, or
    /// response time before ÷ after; 0 if none is predicted.
    private double ratio(Recommendation r) {
        return switch (aim) {
            case QPS -> r.predictedQpsRatio().orElse(0.0);
            case RT -> r.predictedRtRatio().map(rt -> rt <= 0 ? 0 : 1 / rt).orElse(0.0);
        };
    }

    private boolean comesBefore(Recommendation r, Recommendation other) {
        if (depth(r).compareTo(depth(other)) >= 0) {
            return false;
        }
        return switch (depth(other)) {
            case CAUSE -> false;
            case OTHER ->
                    (LARGER.contains(other.change().name()) && (isWait(r) || givesMuchOf(other, r)))
                            || (isConditional(other, r) && givesMuchOf(other, r));
            case TARGET ->
                    (r.tryable() && gives(OF_A_TARGET, other, r))
                            || ((ApiAdvice.isEdit(r) || (!isPlaced(other) && hasPlace(r)))
                                    && givesMuchOf(other, r));
            case ELSEWHERE -> LARGER.contains(r.change().name());
        };
    }

    private Depth depth(Recommendation r) {
        if (isWait(r) && enlarges && !shortensHere) {
            return Depth.ELSEWHERE;
        }
        if (isTarget(r)) {
            return Depth.TARGET;
        }
        boolean holds = isWait(r) && enlarges && all.stream().noneMatch(Order::isHoldAtAPlace);
        return holds || isCause(r) ? Depth.CAUSE : Depth.OTHER;
    }

    /// True if a change gives a good part of another one's gain.
    private boolean givesMuchOf(Recommendation other, Recommendation r) {
        return gives(OF_THE_GAIN, other, r);
    }

    /// True if a change gains something, and at least this share of another one's gain.
    private boolean gives(double share, Recommendation other, Recommendation r) {
        double gain = GENERAL.contains(other.change().name()) ? 1 : Math.max(0, ratio(other) - 1);
        double own = ratio(r) - 1;
        return own > 0 && own >= share * gain;
    }

    /// True if `r` moves a call out of a lock, and `other` only applies to some calls.
    private static boolean isConditional(Recommendation other, Recommendation r) {
        return other.change().name() == KnownChange.LOCK_CALL_LESS
                && r.change().name() == KnownChange.LOCK_CALL;
    }

    private static boolean isTarget(Recommendation r) {
        return TARGETS.contains(r.change().name()) || GENERAL.contains(r.change().name());
    }

    /// True if a target names a place. Fewer log lines name a method, but no edit.
    private static boolean isPlaced(Recommendation target) {
        return GENERAL.contains(target.change().name())
                || (hasPlace(target) && target.change().name() != KnownChange.LOGGING_LESS);
    }

    /// True if it names a place in the code, or is a setting.
    private static boolean hasPlace(Recommendation r) {
        return r.tryable() || !r.says().names().isEmpty();
    }

    /// True if it halves the wait that holds the places of a pool.
    private static boolean isWait(Recommendation r) {
        return WAITS_LESS.contains(r.change().name());
    }

    /// True if it is an edit of the code that fills a queue or takes the CPU.
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

    private boolean isBeyondTheMachine(Recommendation r) {
        return r.changes().stream()
                .anyMatch(c ->
                        c instanceof Change.Cores(double _, double to) && to > s.machineCores());
    }
}
