package dev.jdyno.report.json;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.Slice;
import dev.jdyno.measure.Standstill;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.gc.GcDetail;
import dev.jdyno.measure.load.ClientSide;
import dev.jdyno.measure.load.FailureCount;
import dev.jdyno.measure.load.FailureText;
import dev.jdyno.measure.statistics.CurvePoint;
import dev.jdyno.measure.statistics.Latency;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Holder;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.ThreadCounts;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Demand;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.Validity;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.measure.verdict.WhatIf;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.node.ObjectNode;

/// A result as a JSON tree. Every key of the contract stands in this file once, in the contract's
/// order; {@link ResultReader} is its mirror.
public final class ResultTree {
    private ResultTree() {}

    public static ObjectNode of(RunResult r) {
        return new JsonObject()
                .put("schema", ResultJson.SCHEMA)
                .put(
                        "jdyno",
                        new JsonObject()
                                .put("version", r.jdyno().version())
                                .put("commandLine", r.jdyno().commandLine())
                                .put("startedAt", r.jdyno().startedAt().toString())
                                .put("durationS", r.jdyno().durationS())
                                .put("name", r.jdyno().name()))
                .put("partial", r.partial())
                .put(
                        "machine",
                        new JsonObject()
                                .put("cores", r.machine().cores())
                                .put("memoryBytes", r.machine().memoryBytes())
                                .put("kernel", r.machine().kernel())
                                .put("stealPct", r.machine().stealPct()))
                .put("target", target(r.target()))
                .putEach("rounds", r.rounds(), ResultTree::round)
                .putEach("census", r.census(), ResultTree::census)
                .put("knee", r.knee(), ResultTree::knee)
                .put("capacityNotes", r.capacityNotes())
                .put("goal", r.goal(), GoalJson::tree)
                .putEach("demands", r.demands(), ResultTree::demand)
                .putEach("layers", r.layers(), LayerJson::tree)
                .put("verdict", verdict(r.verdict()))
                .put("proof", r.proof(), ProofJson::tree)
                .putEach("whatIf", r.whatIf(), w -> whatIf(w, r.knee()))
                .putEach("prescriptions", r.prescriptions(), ResultTree::prescription)
                .put("validity", validity(r.validity()))
                .put("insight", InsightJson.tree(r.insight()))
                .node();
    }

    public static JsonObject target(TargetFacts t) {
        return new JsonObject()
                .putCount("pid", t.pid())
                .putText("jvm", t.jvm())
                .putText("jdkVersion", t.jdkVersion())
                .putText("collector", t.collector())
                .putCount("heapMaxBytes", t.heapMaxBytes())
                .putCount("memoryLimitBytes", t.memoryLimitBytes())
                .put("flags", t.flags())
                .put("cores", t.cores())
                .put("attached", t.attached())
                .put("means", t.means())
                .put("missing", t.missing())
                .putEach("standstills", t.standstills(), ResultTree::standstill);
    }

    private static JsonObject standstill(Standstill s) {
        return new JsonObject()
                .put("by", s.by().key())
                .put("fromS", s.fromS())
                .putNumber("toS", s.toS());
    }

    private static JsonObject round(Round r) {
        var errorKinds = new JsonObject();
        new TreeMap<>(r.errorKinds()).forEach(errorKinds::put);
        return new JsonObject()
                .put("concurrency", r.concurrency())
                .putNumber("ratePerS", r.ratePerS())
                .put("seconds", r.seconds())
                .put("qps", r.qps())
                .put("qpsCi95", r.qpsCi95())
                .put("requests", r.requests())
                .put("errors", r.errors())
                .put("errorKinds", errorKinds)
                .putEach("errorDetails", r.failures(), ResultTree::failure)
                .putCount("bytes", r.bytesRead())
                .put("rtMs", latency(r.rtMs()))
                .put("client", client(r.client()))
                .put("cpu", r.cpu(), ResultTree::cpu)
                .put("threads", r.threads(), ResultTree::threads)
                .put("gc", r.gc(), ResultTree::gc)
                .put("anatomy", r.anatomy(), ResultTree::anatomy)
                .putEach("slices", r.slices(), ResultTree::slice);
    }

    private static JsonObject failure(FailureCount f) {
        return new JsonObject()
                .put("kind", f.kind())
                .put("reason", f.reason().key())
                .put("count", f.count())
                .putText("example", f.example())
                .put("says", FailureText.says(f.reason()));
    }

    private static JsonObject latency(Latency l) {
        return new JsonObject()
                .put("mean", l.mean())
                .put("p50", l.p50())
                .put("p90", l.p90())
                .put("p99", l.p99())
                .put("p999", l.p999())
                .put("max", l.max());
    }

    private static JsonObject client(ClientSide c) {
        return new JsonObject()
                .put("cpuPct", c.cpuPct())
                .put("busiestLoopPct", c.busiestLoopPct())
                .put("gcMs", c.gcMs())
                .put("coreWaitPct", c.coreWaitPct())
                .put("stalledPct", c.stalledPct())
                .put("saturated", c.saturated())
                .put("heldUp", c.heldUp())
                .putText("why", c.why());
    }

    public static JsonObject cpu(CpuUse c) {
        return new JsonObject()
                .put("processCores", c.processCores())
                .put("systemCores", c.systemCores())
                .put("clientCores", c.clientCores())
                .put("otherCores", c.otherCores())
                .put("availableCores", c.availableCores())
                .put("leftCores", c.leftCores())
                .put("machinePct", c.machinePct())
                .put("stealPct", c.stealPct())
                .put("throttledPct", c.throttledPct())
                .put("throttledPeriodsPct", c.throttledPeriodsPct());
    }

    public static JsonObject threads(ThreadCounts t) {
        return new JsonObject()
                .put("live", t.live())
                .putNumber("startedPerS", t.startedPerS())
                .put("runQueueThreads", t.runQueueThreads())
                .put("stops", t.stops(), ResultTree::stops);
    }

    private static JsonObject stops(ThreadCounts.Stops s) {
        return new JsonObject()
                .put("share", s.share())
                .put("syncShare", s.syncShare())
                .put("perS", s.perS());
    }

    public static JsonObject gc(GcActivity g) {
        return new JsonObject()
                .put("young", count(g.young()))
                .put("full", count(g.full()))
                .put("pauseShare", g.pauseShare())
                .putNumber("allocBytesPerS", g.allocBytesPerS())
                .putNumber("promotedBytesPerS", g.promotedBytesPerS())
                .putNumber("requestBytes", g.requestBytes())
                .putNumber("oldUsedBytes", g.oldUsedBytes())
                .putNumber("oldCapacityBytes", g.oldCapacityBytes())
                .put("detail", g.detail(), ResultTree::gcDetail);
    }

    private static JsonObject gcDetail(GcDetail d) {
        var causes = new JsonObject();
        new TreeMap<>(d.causes()).forEach(causes::put);
        return new JsonObject()
                .put("longestPauseMs", d.longestPauseMs())
                .put("causes", causes)
                .put("stalledThreads", d.stalledThreads());
    }

    private static JsonObject count(GcActivity.Count c) {
        return new JsonObject().put("count", c.count()).put("ms", c.ms());
    }

    private static JsonObject anatomy(Breakdown a) {
        var perRequest = new JsonObject();
        for (Cause cause : Cause.values()) {
            perRequest.put(cause.key(), a.ms(cause));
        }
        return new JsonObject()
                .put("perRequestMs", perRequest)
                .putEach(
                        "topN",
                        a.topN(),
                        s ->
                                new JsonObject()
                                        .put("cause", s.cause().key())
                                        .put("where", s.where())
                                        .put("ms", s.ms()))
                .put("unexplainedMs", a.unexplainedMs());
    }

    private static JsonObject slice(Slice s) {
        return new JsonObject()
                .put("qps", s.qps())
                .put("rtMeanMs", s.rtMeanMs())
                .putNumber("processCores", s.processCores());
    }

    public static JsonObject census(ThreadSamples c) {
        return new JsonObject()
                .put("concurrency", c.concurrency())
                .put("qps", c.qps())
                .put("dumps", c.dumps())
                .put("longestPauseMs", c.longestPauseMs())
                .putEach("pools", c.pools(), ResultTree::pool)
                .putEach("busy", c.busy(), ResultTree::busy)
                .putEach("queues", c.queues(), QueueJson::tree)
                .putEach("limits", c.limits(), LayerJson::limit)
                .put("waitingSockets", c.waitingSockets())
                .put("listenQueue", c.listenQueue())
                .putEach("calls", c.calls(), ResultTree::calls)
                .putEach(
                        "signals",
                        c.signals().values().keySet().stream().sorted().toList(),
                        sign -> signal(c.signals(), sign))
                .putEach("disks", c.signals().disks(), DiskJson::tree);
    }

    private static JsonObject calls(Calls c) {
        return new JsonObject()
                .put("where", c.where())
                .put("connections", c.connections())
                .put("awaiting", c.awaiting())
                .put("opened", c.opened())
                .put("database", c.database());
    }

    private static JsonObject signal(Signals signals, Signals.Sign sign) {
        return new JsonObject()
                .put("id", sign.key())
                .put("value", signals.of(sign).orElseThrow())
                .put("unit", sign.unit())
                .putText("where", signals.place(sign));
    }

    private static JsonObject pool(ThreadSamples.Pool p) {
        return new JsonObject()
                .put("name", p.name())
                .put("size", p.size())
                .put("busy", p.busy())
                .put("idle", p.idle())
                .put("minIdle", p.minIdle())
                .put("serving", p.serving())
                .put("loop", p.loop())
                .put("virtual", p.virtual())
                .put("cores", p.cores())
                .put("doing", doing(p));
    }

    private static JsonObject doing(ThreadSamples.Pool p) {
        var doing = new JsonObject();
        for (Cause cause : Cause.values()) {
            if (p.doing(cause) > 0) {
                doing.put(cause.key(), p.doing(cause));
            }
        }
        return doing;
    }

    private static JsonObject busy(ThreadSamples.Busy b) {
        return new JsonObject()
                .put("cause", b.cause().key())
                .put("where", b.where())
                .put("threads", b.threads())
                .putText("holder", b.holder().map(Holder::text));
    }

    private static JsonObject knee(Knee k) {
        return new JsonObject()
                .put("concurrency", k.concurrency())
                .put("ci95", k.ci95())
                .put("determinable", k.isDeterminable())
                .put("qps", k.qps())
                .put("qpsAtKnee", k.qpsAtKnee())
                .put("rtMs", k.rtMs())
                .put("method", k.method())
                .put("loadSeconds", k.loadSeconds())
                .put(
                        "predicted",
                        k.predicted(),
                        p ->
                                new JsonObject()
                                        .put("concurrency", p.concurrency())
                                        .put("qps", p.qps())
                                        .put("ofTheLimit", p.ofTheLimit())
                                        .put("formula", p.formula()))
                .putEach("model", k.model(), ResultTree::point);
    }

    private static JsonObject point(CurvePoint p) {
        return new JsonObject()
                .put("concurrency", p.concurrency())
                .put("qps", p.qps())
                .put("rtMs", p.rtMs());
    }

    private static JsonObject demand(Demand d) {
        return new JsonObject()
                .put("resource", d.resource())
                .put("ms", d.ms())
                .putInterval("ci95", d.ci95())
                .put("rounds", d.rounds())
                .put("units", d.units())
                .put("utilisationAtKnee", d.utilisationAtKnee());
    }

    public static JsonObject verdict(Verdict v) {
        return new JsonObject()
                .put("bottleneck", v.bottleneck().key())
                .put("where", v.where())
                .put("confidence", v.confidence())
                .put("says", v.says())
                .putEach(
                        "evidence",
                        v.evidence(),
                        e ->
                                new JsonObject()
                                        .put("id", e.id())
                                        .put("says", e.says())
                                        .put("value", e.value())
                                        .put("unit", e.unit())
                                        .put("limit", e.limit()))
                .putEach(
                        "runnersUp",
                        v.runnersUp(),
                        r ->
                                new JsonObject()
                                        .put("bottleneck", r.bottleneck().key())
                                        .put("confidence", r.confidence())
                                        .put("whyNot", r.whyNot()));
    }

    private static JsonObject whatIf(WhatIf w, Optional<Knee> knee) {
        return new JsonObject()
                .put("change", w.change())
                .put("qps", w.qps())
                .put("rtMs", w.rtMs())
                .putNumber("rtMsAtMeasuredKnee", knee.flatMap(w::rtMsAtLoadOf))
                .put("kneeConcurrency", w.kneeConcurrency())
                .put("formula", w.formula())
                .putEach("curve", w.curve(), ResultTree::point);
    }

    public static JsonObject prescription(Recommendation p) {
        return new JsonObject()
                .put("id", p.id())
                .put("says", p.says())
                .put("change", p.change())
                .putEach("changes", p.changes(), ChangeJson::tree)
                .put("how", p.how())
                .putNumber("predictedQpsRatio", p.predictedQpsRatio())
                .putNumber("predictedRtRatio", p.predictedRtRatio())
                .put("atMost", p.atMost())
                .put("formula", p.formula())
                .put("tryable", p.tryable())
                .putNumber("measuredQpsRatio", p.measuredQpsRatio());
    }

    private static JsonObject validity(Validity v) {
        return new JsonObject()
                .put("ok", v.ok())
                .putEach(
                        "warnings",
                        v.warnings(),
                        w ->
                                new JsonObject()
                                        .put("id", w.id())
                                        .put("says", w.says())
                                        .put("spoils", w.spoils()));
    }
}
