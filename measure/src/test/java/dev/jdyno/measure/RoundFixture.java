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

/// Rounds for tests: a closed-loop round on a 2-core machine, every field sane, the ones a test is
/// about set by name.
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

    /// The load is others', so that nobody sees replies.
    public RoundFixture ofOthers() {
        ofOthers = true;
        return this;
    }

    /// Mean size; with a fraction where replies differ.
    public RoundFixture replies(double bytes) {
        replyBytes = bytes;
        return this;
    }

    /// Half the width of the throughput's interval, as a share of it.
    public RoundFixture qpsError(double share) {
        qpsError = share;
        return this;
    }

    public RoundFixture cores(double used) {
        processCores = used;
        return this;
    }

    /// Of the service's cores, those that its system calls used.
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

    /// The hypervisor took this share of the machine.
    public RoundFixture stolen(double pct) {
        stealPct = pct;
        return this;
    }

    /// Who used the others' part.
    public RoundFixture beside(Neighbour... who) {
        neighbours = List.of(who);
        return this;
    }

    /// Of the service's cores, those that processes used which it started.
    public RoundFixture children(ChildProgram... programs) {
        children = List.of(programs);
        return this;
    }

    /// Of the machine's two cores the cgroup allows so many.
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

    /// The client was ready to go on and had no core for this share of the time.
    public RoundFixture clientWaits(double pct) {
        coreWaitPct = pct;
        return this;
    }

    /// The machine held the client up: its loop stood still for this share of the time.
    public RoundFixture clientHeldUp(double stalled, String why) {
        stalledPct = stalled;
        heldUpBy = Optional.of(why);
        return this;
    }

    /// What others left of the cores that the target may use, where that is not all that they left.
    public RoundFixture left(double cores) {
        leftCores = cores;
        return this;
    }

    /// Nobody read the target's CPU.
    public RoundFixture unseenCpu() {
        seesCpu = false;
        return this;
    }

    /// What others took in each second; otherwise it is not known.
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

    /// What was answered took this long; who was not answered is in no response time.
    public RoundFixture answeredAtOnce(double ms) {
        meanMs = Optional.of(ms);
        return this;
    }

    /// The median response time; otherwise it is the mean.
    public RoundFixture p50(double ms) {
        p50Ms = Optional.of(ms);
        return this;
    }

    /// The 90th percentile; otherwise it is the mean and a fifth.
    public RoundFixture p90(double ms) {
        p90Ms = Optional.of(ms);
        return this;
    }

    /// The longest response time; otherwise it is three times the mean.
    public RoundFixture longest(double ms) {
        longestMs = Optional.of(ms);
        return this;
    }

    public RoundFixture stops(double share, double syncShare, double perS) {
        stops = Optional.of(new ThreadCounts.Stops(share, syncShare, perS));
        return this;
    }

    /// Threads that waited for a core by the kernel's clock; otherwise one.
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
