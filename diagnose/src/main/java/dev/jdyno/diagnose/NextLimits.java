package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.evidence.Lines.confidence;

import dev.jdyno.diagnose.evidence.CpuShortage;
import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Limits;
import dev.jdyno.diagnose.wait.ThreadPoolRule;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.Saturation;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.NextLimit;
import dev.jdyno.measure.verdict.NextLimit.After;
import dev.jdyno.measure.verdict.NextLimit.Way;
import dev.jdyno.measure.verdict.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Finds the second limit of a service with two limits of nearly the same height. It computes the
/// throughput at which each resource is saturated if it is the only limit, from figures that were
/// measured while the first limit was saturated.
public final class NextLimits {
    /// Maximum ratio of the second limit to the first one at which both count as nearly equal.
    public static final double NEARLY = 1.15;

    /// Verdicts on a resource that requests wait for, or that they use in turns.
    private static final Set<Bottleneck> WAITS =
            EnumSet.of(
                    Bottleneck.LOCK,
                    Bottleneck.THREAD_POOL,
                    Bottleneck.CONNECTION_POOL,
                    Bottleneck.DOWNSTREAM,
                    Bottleneck.DATABASE,
                    Bottleneck.RATE_LIMIT,
                    Bottleneck.DISK);

    private static final Set<Bottleneck> OF_CPU = EnumSet.of(Bottleneck.CPU, Bottleneck.CPU_QUOTA);

    private static final Set<Bottleneck> OF_COLLECTOR =
            EnumSet.of(Bottleneck.GC_ALLOCATION, Bottleneck.GC_PROMOTION);

    /// Resources of which two may limit, because the place identifies each of them.
    private static final Set<Bottleneck> SEVERAL =
            EnumSet.of(Bottleneck.LOCK, Bottleneck.DOWNSTREAM);

    private static final double SURE_OF_UTILISATION = 0.80;
    private static final double SURE_OF_PLACES = 0.70;
    private static final double SURE_OF_SHARE = 0.70;

    /// Maximum confidence if the number of waiting requests is a difference between two windows.
    private static final double MAX_OF_GROWTH = 0.70;

    /// Number of waiting requests from which the confidence does not rise further. It corresponds
    /// to a utilisation of 0.92.
    private static final double LONG_QUEUE = 10;

    /// Maximum of {@link #ownTimes}: a second limit that is nearly equal to the first one lengthens
    /// the response time by little.
    private static final double MAX_OWN = 1.25;

    private final Verdict verdict;
    private final Evidence evidence;
    private final List<ThreadSamples> windows;
    private final double now;

    /// Throughput at which the first limit is saturated if it is the only one ÷ the present one.
    private final double ownTimes;

    /// One resource by itself.
    ///
    /// @param times throughput at which it is saturated ÷ the present throughput
    /// @param most upper end of `times`
    /// @param height lower end of `times` ÷ that of the first limit
    private record Own(
            Bottleneck bottleneck,
            String where,
            Way way,
            double figure,
            double times,
            double most,
            double height,
            double confidence) {}

    private NextLimits(Verdict verdict, Evidence evidence, List<ThreadSamples> windows) {
        this.verdict = verdict;
        this.evidence = evidence;
        this.windows =
                windows.stream()
                        .filter(w ->
                                w.dumps() > 0
                                        && w.concurrency() >= evidence.plateau().concurrency())
                        .toList();
        this.now = evidence.plateau().qps();
        this.ownTimes =
                verdict.bottleneck() == Bottleneck.THREAD_POOL
                        ? threads().map(Own::times).map(t -> Math.min(MAX_OWN, t)).orElse(1.0)
                        : 1;
    }

    /// Returns the second limit. Empty if no other resource is nearly saturated, if its use was not
    /// measured, or if it is only a consequence of the first limit.
    ///
    /// @param evidence the evidence that decided the verdict
    /// @param windows all diagnostic windows
    public static Optional<NextLimit> of(
            Verdict verdict, Evidence evidence, List<ThreadSamples> windows) {
        boolean known =
                WAITS.contains(verdict.bottleneck())
                        || OF_CPU.contains(verdict.bottleneck())
                        || OF_COLLECTOR.contains(verdict.bottleneck());
        return known
                        && verdict.confidence() >= Diagnosis.NAMED_FROM
                        && evidence.plateau().qps() > 0
                        && evidence.saturated().isPresent()
                        && !evidence.stillRises()
                ? new NextLimits(verdict, evidence, windows).find()
                : Optional.empty();
    }

    private Optional<NextLimit> find() {
        List<Own> all = new ArrayList<>();
        cpu().ifPresent(all::add);
        all.addAll(queues());
        if (verdict.bottleneck() != Bottleneck.THREAD_POOL) {
            threads().ifPresent(all::add);
        }
        collector().ifPresent(all::add);
        return all.stream()
                .filter(o -> o.height <= NEARLY * ownTimes)
                .min(Comparator.comparingDouble(Own::height))
                .map(second ->
                        new NextLimit(
                                second.bottleneck,
                                second.where,
                                Math.min(second.confidence, verdict.confidence()),
                                second.way,
                                second.figure,
                                now,
                                second.times * now,
                                second.most - 1,
                                after(all, second)));
    }

    /// Returns the limit that remains without the first and the second one. It is at least the
    /// second one.
    private Optional<After> after(List<Own> all, Own second) {
        return all.stream()
                .filter(o -> !isSame(o, second))
                .min(Comparator.comparingDouble(Own::most))
                .map(o -> {
                    double times = Math.max(o.most, second.most);
                    return new After(o.bottleneck, times * now, times - 1);
                });
    }

    private static boolean isSame(Own a, Own b) {
        return a.bottleneck == b.bottleneck && a.where.equals(b.where);
    }

    /// Returns the CPU by its utilisation, near its limit or not; empty for verdicts of the CPU.
    private Optional<Own> cpu() {
        Optional<CpuUse> cpu =
                WAITS.contains(verdict.bottleneck()) && isUsedByItself()
                        ? evidence.fullestCpu()
                        : Optional.empty();
        return cpu.filter(c -> c.utilisation() > 0)
                .map(c -> {
                    double times = 1 / Math.min(1, c.utilisation());
                    return new Own(
                            c.throttledPct() > 0 ? Bottleneck.CPU_QUOTA : Bottleneck.CPU,
                            "",
                            Way.UTILISATION,
                            c.utilisation(),
                            times,
                            times,
                            times,
                            SURE_OF_UTILISATION);
                });
    }

    /// True if the service itself uses its cores, or if its threads need them. If other processes
    /// leave only few cores, these are always in use.
    private boolean isUsedByItself() {
        var shortage = new CpuShortage(evidence);
        return evidence.fullestCpu()
                .filter(c ->
                        c.heldByOthers() < Limits.HELD_BY_OTHERS
                                || (shortage.enough().isEmpty() && shortage.coresAreWanted()))
                .isPresent();
    }

    /// Returns the resources with a queue of their own. A resource that requests hold while they
    /// are at the first limit has a queue only because of that limit.
    private List<Own> queues() {
        List<Queue> all = Queue.all(evidence, windows);
        Optional<Queue> first = all.stream().filter(this::isOfVerdict).findFirst();
        boolean cpuIsShort = evidence.cpuIsShort();
        return all.stream()
                .filter(q -> !isOfVerdict(q))
                .filter(q -> !isConsequence(q, first))
                .filter(q -> !cpuIsShort || !q.growsWithoutCores())
                .map(NextLimits::own)
                .toList();
    }

    private boolean isOfVerdict(Queue q) {
        return q.bottleneck() == verdict.bottleneck()
                && (q.where().equals(verdict.where()) || !SEVERAL.contains(q.bottleneck()));
    }

    private boolean isConsequence(Queue q, Optional<Queue> first) {
        boolean broughtAbout =
                Rules.of(verdict.bottleneck())
                        .filter(r -> r.bringsAbout().contains(q.bottleneck()))
                        .isPresent();
        return broughtAbout
                || first.filter(f -> q.isHeldDuring(f.cause()) || f.isHeldDuring(q.cause()))
                        .isPresent();
    }

    private static Own own(Queue q) {
        double times = q.times();
        double sure = confidence(q.waiting(), 0, LONG_QUEUE, 0.5, SURE_OF_UTILISATION);
        return new Own(
                q.bottleneck(),
                q.where(),
                Way.QUEUE,
                q.waiting(),
                times,
                q.mostTimes(),
                q.leastTimes(),
                q.growth() ? Math.min(sure, MAX_OF_GROWTH) : sure);
    }

    /// Returns the pool of threads that serve requests, if it has no idle thread: its threads ÷ the
    /// response time at a load at which no request waits for one.
    private Optional<Own> threads() {
        return ThreadPoolRule.saturatedPool(evidence)
                .filter(p -> !p.virtual())
                .flatMap(p ->
                        evidence.rounds().stream()
                                .filter(r -> r.ratePerS().isEmpty() && r.qps() > 0)
                                .filter(r -> 2 * r.concurrency() <= p.size())
                                .min(Comparator.comparingInt(Round::concurrency))
                                .map(r -> places(p, r)));
    }

    private Own places(ThreadSamples.Pool pool, Round low) {
        double times = Math.max(1, pool.size() / low.rtMsByLittle() * 1000 / now);
        return new Own(
                Bottleneck.THREAD_POOL,
                pool.name(),
                Way.PLACES,
                pool.size(),
                times,
                times,
                times,
                SURE_OF_PLACES);
    }

    /// Returns the collector beside the application's own CPU use, or the reverse. Both use the
    /// same time. Each of them alone would limit throughput to the present one ÷ its share.
    private Optional<Own> collector() {
        double share = evidence.gcCost();
        boolean ofCpu = OF_CPU.contains(verdict.bottleneck());
        boolean saturated =
                evidence.cpuUtilisation().filter(u -> u >= Saturation.CPU_SATURATED).isPresent();
        if (share <= 0
                || share >= 1
                || !saturated
                || !(ofCpu || OF_COLLECTOR.contains(verdict.bottleneck()))) {
            return Optional.empty();
        }
        double second = ofCpu ? share : 1 - share;
        return Optional.of(
                new Own(
                        ofCpu ? Bottleneck.GC_ALLOCATION : Bottleneck.CPU,
                        "",
                        Way.SHARE,
                        second,
                        1 / second,
                        1 / second,
                        Math.max(second, 1 - second) / Math.min(second, 1 - second),
                        SURE_OF_SHARE));
    }
}
