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
/// One change is deeper than another if it removes a cause for which the other only provides more
/// capacity. It is then ranked with the gain of the other change, directly before it:
///
/// 1. An edit of the code that holds threads or connections of a pool comes before a larger pool,
///    if it gives at least a quarter of the gain.
/// 2. An edit comes before a target (half the CPU, twice the cores), if it gives at least a quarter
///    of the gain. If the target names no place in the code, the same applies to settings and to
///    changes that name a place. A setting with at least half of the gain comes before every
///    target.
/// 3. A change that halves the wait of the holders comes before a larger pool if the service's code
///    can shorten that wait ([HolderWait#isChangedHere]). Otherwise it comes after the larger pool.
final class Order {
    /// Recommendations that give a target (how much less or more) but no concrete edit.
    private static final Set<ChangeName> TARGETS =
            Set.of(
                    KnownChange.CPU_HALVE,
                    KnownChange.CORES_DOUBLE,
                    KnownChange.LOGGING_LESS,
                    KnownChange.ALLOCATE_LESS,
                    KnownChange.LIVE_LESS);

    /// Recommendations that name the kind of object to keep, but not the object. An edit names the
    /// object.
    private static final Set<ChangeName> GENERAL =
            Set.of(KnownChange.CLASSES_KEEP, KnownChange.THREADS_REUSE);

    /// Recommendations that make a pool or a queue larger.
    private static final Set<ChangeName> LARGER =
            Set.of(KnownChange.POOL_DOUBLE, KnownChange.THREADS, KnownChange.EXECUTOR_LARGER);

    /// Recommendations that halve the wait of the threads that hold a pool's connections or are its
    /// members.
    private static final Set<ChangeName> WAITS_LESS =
            Set.of(KnownChange.WAIT_SHORTER, KnownChange.TASK_SHORTER, KnownChange.POOL_SHORTER);

    /// Minimum share of another change's gain for a deeper one to precede it. A change that gives
    /// less is only a detail of the other one.
    private static final double OF_THE_GAIN = 0.25;

    /// Minimum share of a target's gain for a setting to precede it: a setting has a value, and a
    /// target in named code has none.
    private static final double OF_A_TARGET = 0.5;

    /// Number of steps per unit of a ratio. Ratios in the same step count as equal.
    private static final double STEPS = 50;

    private final List<Recommendation> all;
    private final Situation s;
    private final Aim aim;
    private final boolean enlarges;
    private final boolean shortensHere;

    /// The depth of the cause that a change removes, the deepest first. A change can only come
    /// directly before changes of a later constant.
    private enum Depth {
        /// Code that fills a queue or takes the CPU.
        CAUSE,
        /// Any other change, such as a larger queue.
        OTHER,
        TARGET,
        /// A shorter wait that the code of the service cannot bring about.
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

    /// Rounds a ratio, so that nearly equal predictions keep the order in which the rule gives
    /// them.
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

    /// Returns the recommendations in this order. Changes that are equal in it keep the order in
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

    /// Returns the gain with which a change is ranked: its own, or the larger gain of a change that
    /// it comes before. The recursion ends because each step leads to a later depth.
    private Gain counted(Recommendation r) {
        return all.stream()
                .filter(other -> comesBefore(r, other))
                .map(this::counted)
                .reduce(own(r), Gain::orMore);
    }

    /// Returns a change's own gain at the load of its figures, with its range. If the gain is only
    /// a bound, its lower end is no gain. The range of a bound comes from other changes of the same
    /// kind, so it cannot rank the changes of this service.
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

    /// True if `r` gives at least a quarter of the other change's gain.
    private boolean givesMuchOf(Recommendation other, Recommendation r) {
        return gives(OF_THE_GAIN, other, r);
    }

    /// True if `r` has a gain, and it is at least this share of the other change's gain.
    private boolean gives(double share, Recommendation other, Recommendation r) {
        double gain = GENERAL.contains(other.change().name()) ? 1 : Math.max(0, ratio(other) - 1);
        double own = ratio(r) - 1;
        return own > 0 && own >= share * gain;
    }

    /// True if `r` moves a call out of a lock, and `other` only avoids some of these calls.
    private static boolean isConditional(Recommendation other, Recommendation r) {
        return other.change().name() == KnownChange.LOCK_CALL_LESS
                && r.change().name() == KnownChange.LOCK_CALL;
    }

    private static boolean isTarget(Recommendation r) {
        return TARGETS.contains(r.change().name()) || GENERAL.contains(r.change().name());
    }

    /// True if a target names a place. A recommendation for fewer log lines does not count, because
    /// it names a method but no edit.
    private static boolean isPlaced(Recommendation target) {
        return GENERAL.contains(target.change().name())
                || (hasPlace(target) && target.change().name() != KnownChange.LOGGING_LESS);
    }

    /// True if the recommendation names a place in the code, or is a setting.
    private static boolean hasPlace(Recommendation r) {
        return r.tryable() || !r.says().names().isEmpty();
    }

    /// True if the recommendation halves the wait of the threads that hold a pool's connections or
    /// are its members.
    private static boolean isWait(Recommendation r) {
        return WAITS_LESS.contains(r.change().name());
    }

    /// True if the recommendation is an edit of the code that fills a queue or takes the CPU.
    private static boolean isCause(Recommendation r) {
        return isHoldAtAPlace(r)
                || ApiAdvice.isEdit(r)
                || r.change().name() == KnownChange.NO_DELAY
                || (r.change().name() == KnownChange.CALLS_PARALLEL && !r.isAboutResponseTime());
    }

    /// True if the recommendation names the code that holds a place, and the edit.
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
