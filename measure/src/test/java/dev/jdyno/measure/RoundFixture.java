package dev.jdyno.measure;

import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.load.ClientSide;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.Latency;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.ThreadCounts;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Rounds for tests: a closed-loop round on a machine of 2 cores. Every field has a plausible
/// value, and a test sets only the fields that it needs.
public final class RoundFixture {
    private final int concurrency;
    private final double qps;
    private double processCores = 0.5;
    private double systemCores = 0.05;
    private double otherCores;
    private double clientCores = 0.05;
    private double availableCores = 2;
    private double throttledPct;
    private double stealPct;
    private List<Neighbour> neighbours = List.of();
    private List<ChildProgram> children = List.of();
    private double loopPct = 10;
    private double coreWaitPct;
    private double stalledPct;
    private Optional<String> heldUpBy = Optional.empty();
    private double leftCores = Double.NaN;
    private boolean seesCpu = true;
    private List<Double> takenBySecond = List.of();
    private double replyBytes = 1_000;
    private boolean ofOthers;
    private double qpsError;
    private long errors;
    private String errorKind = "status-500";
    private Optional<Double> meanMs = Optional.empty();
    private Optional<Double> p50Ms = Optional.empty();
    private Optional<Double> p90Ms = Optional.empty();
    private Optional<Double> longestMs = Optional.empty();
    private Optional<ThreadCounts.Stops> stops = Optional.empty();
    private double waitingForCores = 1;
    private Optional<Breakdown> anatomy = Optional.empty();
    private GcActivity gc =
            new GcActivity(
                    new GcActivity.Count(2, 10),
                    GcActivity.Count.NONE,
                    0.002,
                    Optional.of(1e6),
                    Optional.of(0.0),
                    Optional.of(1e4),
                    Optional.of(1e7),
                    Optional.of(1e8));

    private RoundFixture(int concurrency, double qps) {
        this.concurrency = concurrency;
        this.qps = qps;
    }

    public static RoundFixture round(int concurrency, double qps) {
        return new RoundFixture(concurrency, qps);
    }

    /// The load comes from other clients, so no reply is observed.
    public RoundFixture ofOthers() {
        ofOthers = true;
        return this;
    }

    /// Mean size of a reply. A fraction means that replies differ in size.
    public RoundFixture replies(double bytes) {
        replyBytes = bytes;
        return this;
    }

    /// Half width of the throughput's interval, as a share of the throughput.
    public RoundFixture qpsError(double share) {
        qpsError = share;
        return this;
    }

    public RoundFixture cores(double used) {
        processCores = used;
        return this;
    }

    /// The part of the service's cores that its system calls used.
    public RoundFixture system(double cores) {
        systemCores = cores;
        return this;
    }

    public RoundFixture client(double cores) {
        clientCores = cores;
        return this;
    }

    public RoundFixture others(double cores) {
        otherCores = cores;
        return this;
    }

    /// Percentage of the machine that the hypervisor took.
    public RoundFixture stolen(double pct) {
        stealPct = pct;
        return this;
    }

    /// The processes that used the CPU of others.
    public RoundFixture beside(Neighbour... who) {
        neighbours = List.of(who);
        return this;
    }

    /// The part of the service's cores that its child processes used.
    public RoundFixture children(ChildProgram... programs) {
        children = List.of(programs);
        return this;
    }

    /// The cgroup allows this number of the machine's two cores.
    public RoundFixture quota(double cores) {
        availableCores = cores;
        return this;
    }

    public RoundFixture throttled(double pct) {
        throttledPct = pct;
        return this;
    }

    public RoundFixture clientLoop(double pct) {
        loopPct = pct;
        return this;
    }

    /// Percentage of the time in which the client was ready to run, but had no core.
    public RoundFixture clientWaits(double pct) {
        coreWaitPct = pct;
        return this;
    }

    /// Percentage of the time in which the machine stalled the client's event loop.
    public RoundFixture clientHeldUp(double stalled, String why) {
        stalledPct = stalled;
        heldUpBy = Optional.of(why);
        return this;
    }

    /// Cores that other processes left to the target, if that is less than all that they left.
    public RoundFixture left(double cores) {
        leftCores = cores;
        return this;
    }

    /// The target's CPU was not measured.
    public RoundFixture unseenCpu() {
        seesCpu = false;
        return this;
    }

    /// Cores that other processes used in each second; otherwise unknown.
    public RoundFixture takenBySecond(double... cores) {
        takenBySecond = List.of(Arrays.stream(cores).boxed().toArray(Double[]::new));
        return this;
    }

    public RoundFixture errors(long count) {
        errors = count;
        return this;
    }

    public RoundFixture errors(String kind, long count) {
        errorKind = kind;
        return errors(count);
    }

    /// Response time of the answered requests. Unanswered requests are in no response time.
    public RoundFixture answeredAtOnce(double ms) {
        meanMs = Optional.of(ms);
        return this;
    }

    /// Median response time; equal to the mean if not set.
    public RoundFixture p50(double ms) {
        p50Ms = Optional.of(ms);
        return this;
    }

    /// 90th percentile of response time; 1.2 times the mean if not set.
    public RoundFixture p90(double ms) {
        p90Ms = Optional.of(ms);
        return this;
    }

    /// Longest response time; three times the mean if not set.
    public RoundFixture longest(double ms) {
        longestMs = Optional.of(ms);
        return this;
    }

    public RoundFixture stops(double share, double syncShare, double perS) {
        stops = Optional.of(new ThreadCounts.Stops(share, syncShare, perS));
        return this;
    }

    /// Threads that waited for a core by the kernel's counters; one if not set.
    public RoundFixture waitingForCores(double threads) {
        waitingForCores = threads;
        return this;
    }

    public RoundFixture gc(GcActivity activity) {
        gc = activity;
        return this;
    }

    public RoundFixture anatomy(Breakdown parts) {
        anatomy = Optional.of(parts);
        return this;
    }

    public Round build() {
        double rtMs = meanMs.orElse(qps == 0 ? 0 : concurrency / qps * 1000);
        var slice = new Slice(qps, rtMs, Optional.of(processCores));
        return new Round(
                concurrency,
                Optional.empty(),
                6,
                qps,
                new Interval(qps * (1 - qpsError), qps * (1 + qpsError)),
                Math.round(qps * 6),
                errors,
                errors == 0 ? Map.of() : Map.of(errorKind, errors),
                ofOthers
                        ? Optional.empty()
                        : Optional.of(Math.round(Math.round(qps * 6) * replyBytes)),
                new Latency(
                        rtMs,
                        p50Ms.orElse(rtMs),
                        p90Ms.orElse(rtMs * 1.2),
                        rtMs * 1.5,
                        rtMs * 2,
                        longestMs.orElse(rtMs * 3)),
                new ClientSide(
                        5,
                        loopPct,
                        0,
                        coreWaitPct,
                        stalledPct,
                        loopPct >= 95 || heldUpBy.isPresent(),
                        loopPct < 95 && heldUpBy.isPresent(),
                        heldUpBy),
                seesCpu ? Optional.of(cpu()) : Optional.empty(),
                Optional.of(new ThreadCounts(30, Optional.of(0.0), waitingForCores, stops)),
                Optional.of(gc),
                anatomy,
                takenBySecond.isEmpty()
                        ? List.of(slice, slice, slice, slice, slice, slice)
                        : takenBySecond.stream().map(t -> slice(rtMs, t)).toList());
    }

    private Slice slice(double rtMs, double taken) {
        return new Slice(qps, rtMs, Optional.of(processCores), Optional.of(taken));
    }

    private CpuUse cpu() {
        return new CpuUse(
                processCores,
                systemCores,
                clientCores,
                otherCores,
                availableCores,
                Double.isNaN(leftCores) ? availableCores - clientCores - otherCores : leftCores,
                (processCores + otherCores + clientCores) / 2 * 100,
                stealPct,
                throttledPct,
                throttledPct > 0 ? 100 : 0,
                neighbours,
                children);
    }
}
