package dev.jdyno.instance;

import dev.jdyno.capacity.goal.OpenKnee;
import dev.jdyno.compare.Variant;
import dev.jdyno.files.PrivateFolder;
import dev.jdyno.instance.SizeTest.Figures;
import dev.jdyno.instance.SizeTest.Reason;
import dev.jdyno.instance.SizeTest.Why;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.gc.HeapFill;
import dev.jdyno.measure.load.ClientSide;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.GoalKnee.Outcome;
import dev.jdyno.plan.Plan;
import dev.jdyno.target.cgroup.Cgroup;
import dev.jdyno.target.cgroup.CgroupUse;
import dev.jdyno.target.cgroup.Cgroups;
import dev.jdyno.trial.RateTrial;
import dev.jdyno.trial.Session;
import dev.jdyno.trial.goal.HeldRate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Starts the service in a control group of the size, and holds the rate.
///
/// A kill by the kernel, a service that does not start, and one that ends are results of a size.
/// Only at full size are the latter two errors: the plan is then wrong.
final class CgroupVerifying implements Verifying {
    /// Maximum time at the rate. A test that is not decided by then stays open.
    private static final double MAX_SECONDS = 180;

    private final Plan plan;
    private final SizeWish wish;
    private final Session session;
    private final Cgroups cgroups;
    private Optional<UserError> blocked = Optional.empty();
    private int started;

    CgroupVerifying(Plan plan, SizeWish wish, Session session, Cgroups cgroups) {
        this.plan = plan;
        this.wish = wish;
        this.session = session;
        this.cgroups = cgroups;
    }

    /// A start in a group.
    ///
    /// @param held the result; empty if the service failed
    /// @param failure why it failed; empty if it was only stopped
    /// @param answered whether it gave a good answer before it failed
    private record Started(
            Optional<HeldRate> held,
            Optional<UserError> failure,
            boolean answered,
            CgroupUse use) {}

    @Override
    public Optional<SizeTest> verify(
            InstanceSize size, Why why, List<String> flags, List<Change.Launch> pools)
            throws InterruptedException {
        if (session.isStopped()) {
            return Optional.empty();
        }
        NanoClock clock = session.clock();
        long began = clock.nanos();
        List<String> all = startable(flags);
        var variant = new Variant(plan, PoolKnobs.additions(all, pools));
        Started start = start(variant, size, why);
        double seconds = clock.secondsSince(began);
        if (start.held().isPresent()) {
            HeldRate held = start.held().get();
            held.facts().ifPresent(variant::requireFlags);
            return Optional.of(judged(size, why, all, held, start.use(), seconds));
        }
        return start.failure()
                .map(f -> {
                    String says = f.what() + ": " + f.why();
                    return new SizeTest(
                            size,
                            why,
                            all,
                            Outcome.BAD,
                            failureReason(start.use(), says, start.answered()),
                            Optional.empty(),
                            start.use().oomKills(),
                            start.use().memoryPeak(),
                            says,
                            seconds,
                            Optional.empty());
                });
    }

    /// The flags with which a JVM starts. A command whose heap begins larger than it may become
    /// starts with the whole heap instead.
    private List<String> startable(List<String> flags) {
        if (new Variant(plan, flags).heapMistake().isEmpty()) {
            return flags;
        }
        List<String> both = new ArrayList<>(flags);
        flags.stream()
                .filter(f -> f.startsWith("-Xmx"))
                .map(f -> "-Xms" + f.substring("-Xmx".length()))
                .forEach(both::add);
        return both;
    }

    private Started start(Variant variant, InstanceSize size, Why why) throws InterruptedException {
        Plan ready = variant.started();
        String command = ready.target() instanceof Plan.TargetPlan.Launch(String line) ? line : "";
        Path folder =
                PrivateFolder.inside(
                        session.folder(),
                        ++started + "-" + size.cpuText() + "-" + size.memoryText());
        var trial = new RateTrial(session.listener(), session.clock(), session.stop());
        var wanted =
                new RateTrial.Wanted(wish.goals(), wish.testedRatePerS(), MAX_SECONDS, seen(why));
        Cgroup group = cgroups.make(size.cores(), size.memory());
        try {
            Plan inside = ready.withTarget(new Plan.TargetPlan.Launch(group.entering(command)));
            Optional<HeldRate> held = trial.run(inside, wanted, folder);
            return new Started(held, Optional.empty(), true, group.use());
        } catch (UserError failure) {
            if (session.isStopped()) {
                // Ctrl-C ends the service and its group, maybe while it starts
                return new Started(Optional.empty(), Optional.empty(), false, group.use());
            }
            boolean ofTheSize =
                    failure.kind() == UserError.Kind.TARGET
                            || failure.kind() == UserError.Kind.ANSWER;
            CgroupUse use = group.use();
            if (!ofTheSize || (why == Why.FULL && use.oomKills() == 0)) {
                throw failure;
            }
            return new Started(Optional.empty(), Optional.of(failure), trial.answered(), use);
        } finally {
            remove(group);
        }
    }

    /// Removes the group of a test that has ended. If a process cannot be removed, the result
    /// counts, but another test beside that process would not.
    private void remove(Cgroup group) {
        try {
            group.close();
        } catch (UserError stays) {
            blocked = Optional.of(stays);
        }
    }

    @Override
    public Optional<UserError> blocked() {
        return blocked;
    }

    /// The pools are observed at the sizes that the proposals follow from. Elsewhere the readings
    /// would only take CPU from a small limit.
    private static RateTrial.Seen seen(Why why) {
        return switch (why) {
            case FULL, LARGER_POOLS -> RateTrial.Seen.POOLS_AND_MEMORY;
            case AGAIN -> RateTrial.Seen.POOLS;
            case PROPOSED,
                    UNDECIDED,
                    LARGER_CPU,
                    LARGER_MEMORY,
                    SMALLER_CPU,
                    SMALLER_MEMORY,
                    POOLS,
                    SMALLER_POOL ->
                    RateTrial.Seen.GOALS;
        };
    }

    /// @param says the error, with the last lines that the service printed
    static Reason failureReason(CgroupUse use, String says, boolean answered) {
        if (use.oomKills() > 0) {
            return Reason.OOM_KILLED;
        }
        // the second is HotSpot's refusal of a heap that its collector cannot divide
        if (says.contains("OutOfMemoryError") || says.contains("Too small maximum heap")) {
            return Reason.HEAP_FULL;
        }
        return answered ? Reason.ENDED : Reason.NOT_STARTED;
    }

    private static SizeTest judged(
            InstanceSize size,
            Why why,
            List<String> flags,
            HeldRate held,
            CgroupUse use,
            double seconds) {
        Figures figures = figures(held);
        Outcome outcome = outcome(held, use, figures.clientShort() || figures.disturbed());
        return new SizeTest(
                size,
                why,
                flags,
                outcome,
                reason(held, use, outcome),
                Optional.of(figures),
                use.oomKills(),
                use.memoryPeak(),
                "",
                seconds,
                held.pools());
    }

    private static Outcome outcome(HeldRate held, CgroupUse use, boolean othersFault) {
        if (use.oomKills() > 0) {
            return Outcome.BAD;
        }
        return switch (held.test().outcome()) {
            case GOOD -> Outcome.GOOD;
            // a late client, or too little CPU, misses goals that the service keeps
            case BAD -> othersFault ? Outcome.OPEN : Outcome.BAD;
            case OPEN -> Outcome.OPEN;
        };
    }

    private static Reason reason(HeldRate held, CgroupUse use, Outcome outcome) {
        if (use.oomKills() > 0) {
            return Reason.OOM_KILLED;
        }
        return switch (outcome) {
            case GOOD -> Reason.NONE;
            case OPEN -> Reason.NOT_DECIDED;
            case BAD ->
                    held.heap().filter(HeapFill::isFull).isPresent()
                            ? Reason.HEAP_FULL
                            : held.test().why() == OpenKnee.Why.MISSED
                                    ? Reason.MISSED
                                    : Reason.QUEUE_GROWS;
        };
    }

    private static Figures figures(HeldRate held) {
        Round round = held.round();
        Optional<CpuUse> cpu = round.cpu();
        Optional<GcActivity> gc = round.gc();
        double cores = cpu.map(CpuUse::processCores).orElse(0.0);
        // failed requests use CPU too
        double perS = round.qps() + round.errors() / Math.max(1e-9, round.seconds());
        return new Figures(
                round.qps(),
                round.rtMs().p99(),
                held.aloneMs(),
                held.saturationQps(),
                held.misses(),
                cores,
                perS > 0 ? 1000 * cores / perS : 0,
                cpu.map(CpuUse::throttledPct).orElse(0.0),
                cpu.map(CpuUse::throttledPeriodsPct).orElse(0.0),
                gc.map(GcActivity::pauseShare).orElse(0.0),
                gc.map(g -> g.full().ms() / 1000 / round.seconds()).orElse(0.0),
                gc.flatMap(GcActivity::allocBytesPerS).orElse(0.0),
                held.memory(),
                round.client().busiestLoopPct() >= ClientSide.LOOP_BUSY_LIMIT_PCT,
                cpu.map(CpuUse::heldByOthers).orElse(0.0),
                held.notWarm().isEmpty());
    }
}
