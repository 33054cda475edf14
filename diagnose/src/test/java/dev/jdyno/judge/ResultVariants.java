package dev.jdyno.judge;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Disturbance;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Neighbour;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.Slice;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.Latency;
import dev.jdyno.measure.thread.DiskUse;
import dev.jdyno.measure.thread.PoolQueue;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.thread.SamplesVariant;
import dev.jdyno.measure.thread.ThreadCounts;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Demand;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.Validity;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.measure.verdict.WhatIf;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// {@link ResultFixture#e1()} with one part exchanged.
public final class ResultVariants {
    private ResultVariants() {}

    /// A result whose capacity analysis has only these demands.
    public static RunResult withoutKnee(List<Demand> demands) {
        var r = ResultFixture.e1();
        return of(r.census(), Optional.empty(), demands, r.verdict(), List.of(), r.validity());
    }

    /// The same with this interval of the knee.
    public static RunResult withKnee(Interval ci95) {
        var r = ResultFixture.e1();
        var k = r.knee().orElseThrow();
        var wide =
                new Knee(
                        k.concurrency(),
                        ci95,
                        k.qps(),
                        k.rtMs(),
                        k.method(),
                        k.loadSeconds(),
                        k.predicted());
        return of(
                r.census(), Optional.of(wide), r.demands(), r.verdict(), r.whatIf(), r.validity());
    }

    /// The same without a determinable knee, because rounds at the same load disagree.
    public static RunResult withoutDeterminableKnee() {
        return Results.withKneeUnclear(
                withKnee(new Interval(1.92, 30.8)), "16 in flight gave 212 to 720/s");
    }

    public static RunResult withDemand(Demand demand) {
        var r = ResultFixture.e1();
        return of(r.census(), r.knee(), List.of(demand), r.verdict(), r.whatIf(), r.validity());
    }

    /// The same with these disks in the diagnostic window.
    public static RunResult withDisks(DiskUse... disks) {
        ThreadSamples threadSamples = ResultFixture.e1().census().getFirst();
        return with(
                SamplesVariant.withSignals(
                        threadSamples, threadSamples.signals().withDisks(List.of(disks))));
    }

    /// The same with these queues in the diagnostic window.
    public static RunResult withQueues(PoolQueue... queues) {
        return with(SamplesVariant.withQueues(ResultFixture.e1().census().getFirst(), queues));
    }

    public static RunResult with(ThreadSamples threadSamples) {
        var r = ResultFixture.e1();
        return of(
                List.of(threadSamples),
                r.knee(),
                r.demands(),
                r.verdict(),
                r.whatIf(),
                r.validity());
    }

    /// The same with this throughput in the window at 20 in flight. Its round served 173.8 requests
    /// per second.
    public static RunResult withWindowAt(double qps) {
        return with(ResultFixture.e1().census().getFirst().atThroughput(qps));
    }

    public static RunResult with(Verdict.EvidenceLine... evidence) {
        var r = ResultFixture.e1();
        var v = r.verdict();
        var verdict =
                new Verdict(
                        v.bottleneck(),
                        v.where(),
                        v.confidence(),
                        v.says(),
                        List.of(evidence),
                        v.runnersUp());
        return of(r.census(), r.knee(), r.demands(), verdict, r.whatIf(), r.validity());
    }

    public static RunResult with(Validity.Warning warning) {
        var r = ResultFixture.e1();
        return of(
                r.census(),
                r.knee(),
                r.demands(),
                r.verdict(),
                r.whatIf(),
                Validity.of(List.of(warning)));
    }

    /// The same with this warm-up duration and this warning.
    public static RunResult warmedFor(double seconds, Validity.Warning warning) {
        var r = with(warning);
        return new RunResult(
                r.jdyno(),
                new Recording(
                        r.machine(),
                        r.target(),
                        Optional.of(seconds),
                        r.rounds(),
                        r.census(),
                        List.of(),
                        false),
                r.goal(),
                r.judged(),
                r.proof(),
                r.gcLog());
    }

    public static RunResult with(Verdict verdict) {
        var r = ResultFixture.e1();
        return of(r.census(), r.knee(), r.demands(), verdict, r.whatIf(), r.validity());
    }

    /// The same with two disturbed rounds: one is kept, and the other one is left out.
    public static RunResult disturbed() {
        RunResult r = ResultFixture.e1();
        var burn = new Neighbour("burn", 77, 0.98);
        var by = new Disturbance(1.02, 0.03, 0.1, 4, List.of(burn), false);
        List<Round> rounds = new ArrayList<>(r.rounds());
        Round last = rounds.removeLast();
        rounds.add(last.disturbed(Optional.of(by.asKept())));
        return new RunResult(
                r.jdyno(),
                r.recording()
                        .withRounds(rounds)
                        .leavingOut(List.of(last.disturbed(Optional.of(by)))),
                r.goal(),
                r.judged(),
                r.proof(),
                r.gcLog());
    }

    /// A result that reports only these rounds and windows.
    public static RunResult with(List<Round> rounds, ThreadSamples... windows) {
        var r = ResultFixture.e1();
        return Results.of(
                r.jdyno(),
                new Recording(
                        r.machine(),
                        r.target(),
                        Optional.empty(),
                        rounds,
                        List.of(windows),
                        List.of(),
                        false),
                Optional.empty(),
                r.knee(),
                r.demands(),
                r.verdict(),
                r.whatIf(),
                r.recommendations(),
                r.validity());
    }

    /// The same with other rounds.
    public static RunResult withRounds(RunResult r, List<Round> rounds) {
        return new RunResult(
                r.jdyno(),
                r.recording().withRounds(rounds),
                r.goal(),
                r.judged(),
                r.proof(),
                r.gcLog());
    }

    /// A closed round of the fixture at this load.
    public static Round round(int concurrency) {
        return ResultFixture.e1().rounds().stream()
                .filter(x -> x.concurrency() == concurrency)
                .findFirst()
                .orElseThrow();
    }

    /// The same with other responses.
    public static Round answered(Round r, double qps, Latency rtMs, List<Slice> slices) {
        return copy(r, qps, rtMs, r.threads(), slices);
    }

    /// The same with another throughput.
    public static Round serving(Round r, double qps) {
        return copy(r, qps, r.rtMs(), r.threads(), r.slices());
    }

    /// The same with all threads stopped for this share of the time, in addition to collections.
    public static Round stopped(Round r, double share) {
        var stops = new ThreadCounts.Stops(share, 0, 8);
        var threads = new ThreadCounts(40, Optional.empty(), 0, Optional.of(stops));
        return copy(r, r.qps(), r.rtMs(), Optional.of(threads), r.slices());
    }

    /// The same with this use of the machine's CPU.
    public static Round using(Round r, CpuUse cpu) {
        return new Round(
                r.concurrency(),
                r.ratePerS(),
                r.seconds(),
                r.qps(),
                r.qpsCi95(),
                r.requests(),
                r.errors(),
                r.errorKinds(),
                r.bytesRead(),
                r.rtMs(),
                r.client(),
                Optional.of(cpu),
                r.threads(),
                r.gc(),
                r.anatomy(),
                r.slices());
    }

    private static Round copy(
            Round r, double qps, Latency rtMs, Optional<ThreadCounts> threads, List<Slice> slices) {
        return new Round(
                r.concurrency(),
                r.ratePerS(),
                r.seconds(),
                qps,
                r.qpsCi95(),
                r.requests(),
                r.errors(),
                r.errorKinds(),
                r.bytesRead(),
                rtMs,
                r.client(),
                r.cpu(),
                threads,
                r.gc(),
                r.anatomy(),
                slices);
    }

    private static RunResult of(
            List<ThreadSamples> threadSamples,
            Optional<Knee> knee,
            List<Demand> demands,
            Verdict verdict,
            List<WhatIf> whatIf,
            Validity validity) {
        var r = ResultFixture.e1();
        return Results.of(
                r.jdyno(),
                new Recording(
                        r.machine(),
                        r.target(),
                        Optional.empty(),
                        r.rounds(),
                        threadSamples,
                        List.of(),
                        false),
                Optional.empty(),
                knee,
                demands,
                verdict,
                whatIf,
                r.recommendations(),
                validity);
    }

    /// A result with a profile of one stack with this number of frames.
    public static RunResult deep(int frames) {
        var node = new Profile.Node("com.acme.Walk.into", 50, List.of());
        for (int i = 1; i < frames; i++) {
            node = new Profile.Node("com.acme.Walk.into", 50, List.of(node));
        }
        var profile = new Profile(Profile.Kind.CPU, "jfr", 40, 175, 0.0025, 0, node);
        return ResultFixture.e1()
                .withInsight(new Insight(List.of(profile), List.of(), List.of(), List.of()));
    }
}
