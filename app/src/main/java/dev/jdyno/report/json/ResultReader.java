package dev.jdyno.report.json;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Machine;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.Slice;
import dev.jdyno.measure.Standstill;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.gc.GcDetail;
import dev.jdyno.measure.load.ClientSide;
import dev.jdyno.measure.load.FailureCount;
import dev.jdyno.measure.load.FailureReason;
import dev.jdyno.measure.statistics.CurvePoint;
import dev.jdyno.measure.statistics.Latency;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.ThreadCounts;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Demand;
import dev.jdyno.measure.verdict.Judged;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.Validity;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.measure.verdict.WhatIf;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/// A JSON tree as a result: the mirror of {@link ResultTree}.
final class ResultReader {
    private ResultReader() {}

    /// @throws UserError when the tree is no result; it names the first key that is wrong
    static RunResult read(JsonNode root, String file) {
        var at = new JsonCursor(file, "", root).object();
        String schema = at.text("schema");
        if (!schema.equals(ResultJson.SCHEMA)) {
            throw UserError.usage(
                    file + " is no result of a run",
                    "its schema is " + schema + ", this jdyno reads " + ResultJson.SCHEMA,
                    "give the result.json that `jdyno run` wrote");
        }
        return new RunResult(
                at.one("jdyno", ResultReader::about),
                recording(at),
                // results of before the key existed have none
                at.has("goal") ? at.maybe("goal", GoalJson::read) : Optional.empty(),
                judged(at),
                at.has("proof") ? at.maybe("proof", ProofJson::read) : Optional.empty());
    }

    private static Recording recording(JsonCursor at) {
        return new Recording(
                at.one("machine", ResultReader::machine),
                at.one("target", ResultReader::target),
                Optional.empty(),
                at.each("rounds", ResultReader::round),
                at.each("census", ResultReader::census),
                List.of(),
                at.flag("partial"),
                at.has("insight") ? at.one("insight", InsightJson::read) : Insight.NONE);
    }

    private static Judged judged(JsonCursor at) {
        return new Judged(
                at.maybe("knee", ResultReader::knee),
                at.each("demands", ResultReader::demand),
                at.each("whatIf", ResultReader::whatIf),
                at.has("capacityNotes") ? at.texts("capacityNotes") : List.of(),
                LayerJson.layers(at),
                at.one("verdict", ResultReader::verdict),
                at.each("prescriptions", ResultReader::prescription),
                at.one("validity", ResultReader::validity));
    }

    private static RunResult.About about(JsonCursor at) {
        return new RunResult.About(
                at.text("version"),
                at.text("commandLine"),
                at.instant("startedAt"),
                at.number("durationS"),
                at.text("name"));
    }

    private static Machine machine(JsonCursor at) {
        return new Machine(
                at.smallCount("cores"),
                at.count("memoryBytes"),
                at.text("kernel"),
                at.number("stealPct"));
    }

    private static TargetFacts target(JsonCursor at) {
        return new TargetFacts(
                at.maybeCount("pid"),
                at.maybeText("jvm"),
                at.maybeText("jdkVersion"),
                at.maybeText("collector"),
                at.maybeCount("heapMaxBytes"),
                at.has("memoryLimitBytes") ? at.maybeCount("memoryLimitBytes") : Optional.empty(),
                at.texts("flags"),
                at.number("cores"),
                at.flag("attached"),
                at.texts("means"),
                at.texts("missing"),
                at.has("standstills")
                        ? at.each("standstills", ResultReader::standstill)
                        : List.of());
    }

    private static Standstill standstill(JsonCursor at) {
        String by = at.text("by");
        return new Standstill(
                Arrays.stream(Standstill.By.values())
                        .filter(b -> b.key().equals(by))
                        .findFirst()
                        .orElseThrow(() -> at.at("by").not("a known reason")),
                at.number("fromS"),
                at.maybeNumber("toS"));
    }

    private static Round round(JsonCursor at) {
        return new Round(
                at.smallCount("concurrency"),
                at.maybeNumber("ratePerS"),
                at.number("seconds"),
                at.number("qps"),
                at.interval("qpsCi95"),
                at.count("requests"),
                at.count("errors"),
                at.counts("errorKinds"),
                at.has("errorDetails") ? at.each("errorDetails", ResultReader::failure) : List.of(),
                at.maybeCount("bytes"),
                at.one("rtMs", ResultReader::latency),
                at.one("client", ResultReader::client),
                at.maybe("cpu", ResultReader::cpu),
                at.maybe("threads", ResultReader::threads),
                at.maybe("gc", ResultReader::gc),
                at.maybe("anatomy", ResultReader::anatomy),
                at.each("slices", ResultReader::slice));
    }

    private static FailureCount failure(JsonCursor at) {
        return new FailureCount(
                at.text("kind"),
                FailureReason.ofKey(at.text("reason"))
                        .orElseThrow(() -> at.at("reason").not("a reason that this version knows")),
                at.count("count"),
                at.maybeText("example"));
    }

    private static Latency latency(JsonCursor at) {
        return new Latency(
                at.number("mean"),
                at.number("p50"),
                at.number("p90"),
                at.number("p99"),
                at.number("p999"),
                at.number("max"));
    }

    private static ClientSide client(JsonCursor at) {
        return new ClientSide(
                at.number("cpuPct"),
                at.number("busiestLoopPct"),
                at.number("gcMs"),
                at.has("coreWaitPct") ? at.number("coreWaitPct") : 0,
                at.has("stalledPct") ? at.number("stalledPct") : 0,
                at.flag("saturated"),
                at.has("heldUp") && at.flag("heldUp"),
                at.maybeText("why"));
    }

    private static CpuUse cpu(JsonCursor at) {
        double client = at.number("clientCores");
        double other = at.number("otherCores");
        double available = at.number("availableCores");
        return new CpuUse(
                at.number("processCores"),
                at.number("systemCores"),
                client,
                other,
                available,
                at.has("leftCores") ? at.number("leftCores") : available - client - other,
                at.number("machinePct"),
                at.number("stealPct"),
                at.number("throttledPct"),
                at.has("throttledPeriodsPct")
                        ? at.number("throttledPeriodsPct")
                        : at.number("throttledPct"));
    }

    private static ThreadCounts threads(JsonCursor at) {
        return new ThreadCounts(
                at.smallCount("live"),
                at.maybeNumber("startedPerS"),
                at.number("runQueueThreads"),
                at.has("stops") ? at.maybe("stops", ResultReader::stops) : Optional.empty());
    }

    private static ThreadCounts.Stops stops(JsonCursor at) {
        return new ThreadCounts.Stops(
                at.number("share"), at.number("syncShare"), at.number("perS"));
    }

    private static GcActivity gc(JsonCursor at) {
        return new GcActivity(
                at.one("young", ResultReader::gcCount),
                at.one("full", ResultReader::gcCount),
                at.number("pauseShare"),
                at.maybeNumber("allocBytesPerS"),
                at.maybeNumber("promotedBytesPerS"),
                at.maybeNumber("requestBytes"),
                at.maybeNumber("oldUsedBytes"),
                at.maybeNumber("oldCapacityBytes"),
                // a file of an earlier version has none
                at.has("detail") ? at.maybe("detail", ResultReader::gcDetail) : Optional.empty(),
                GcActivity.Why.UNKNOWN);
    }

    private static GcDetail gcDetail(JsonCursor at) {
        return new GcDetail(
                at.number("longestPauseMs"),
                at.counts("causes"),
                at.number("stalledThreads"),
                List.of());
    }

    private static GcActivity.Count gcCount(JsonCursor at) {
        return new GcActivity.Count(at.count("count"), at.number("ms"));
    }

    private static Breakdown anatomy(JsonCursor at) {
        Map<Cause, Double> perRequest = new EnumMap<>(Cause.class);
        var causes = at.at("perRequestMs").object();
        for (Cause cause : Cause.values()) {
            // a file of an earlier version knows fewer causes
            double ms = causes.has(cause.key()) ? causes.number(cause.key()) : 0;
            if (ms != 0) {
                perRequest.put(cause, ms);
            }
        }
        return new Breakdown(
                perRequest, at.each("topN", ResultReader::spot), at.number("unexplainedMs"));
    }

    private static Breakdown.Spot spot(JsonCursor at) {
        Cause cause = key(at, "cause", Cause.values(), Cause::key);
        return new Breakdown.Spot(cause, PlaceText.place(cause, at.text("where")), at.number("ms"));
    }

    private static Slice slice(JsonCursor at) {
        return new Slice(at.number("qps"), at.number("rtMeanMs"), at.maybeNumber("processCores"));
    }

    private static ThreadSamples census(JsonCursor at) {
        return new ThreadSamples(
                at.smallCount("concurrency"),
                at.number("qps"),
                at.smallCount("dumps"),
                at.number("longestPauseMs"),
                at.each("pools", ResultReader::pool),
                at.each("busy", ResultReader::busy),
                at.number("waitingSockets"),
                at.number("listenQueue"),
                at.has("calls") ? at.each("calls", ResultReader::calls) : List.of(),
                at.has("signals") ? signals(at) : Signals.NONE,
                at.has("queues") ? at.each("queues", QueueJson::of) : List.of(),
                at.has("limits") ? at.each("limits", LayerJson::limit) : List.of());
    }

    private static Calls calls(JsonCursor at) {
        return new Calls(
                PlaceText.peer(at.text("where")),
                at.number("connections"),
                at.number("awaiting"),
                at.smallCount("opened"),
                at.flag("database"));
    }

    private static Signals signals(JsonCursor at) {
        Map<Signals.Sign, Double> values = new EnumMap<>(Signals.Sign.class);
        Map<Signals.Sign, String> places = new EnumMap<>(Signals.Sign.class);
        for (JsonCursor signal : at.each("signals", s -> s)) {
            Signals.Sign sign = key(signal, "id", Signals.Sign.values(), Signals.Sign::key);
            values.put(sign, signal.number("value"));
            signal.maybeText("where").ifPresent(where -> places.put(sign, where));
        }
        // a file of an earlier version has none
        return new Signals(
                values, places, at.has("disks") ? at.each("disks", DiskJson::of) : List.of());
    }

    private static ThreadSamples.Pool pool(JsonCursor at) {
        return new ThreadSamples.Pool(
                at.text("name"),
                at.number("size"),
                at.number("busy"),
                at.number("idle"),
                at.smallCount("minIdle"),
                at.flag("serving"),
                at.has("loop") && at.flag("loop"),
                at.has("cores") ? at.number("cores") : 0,
                at.has("doing") ? doing(at.at("doing").object()) : Map.of(),
                at.has("virtual") && at.flag("virtual"));
    }

    private static Map<Cause, Double> doing(JsonCursor at) {
        Map<Cause, Double> doing = new EnumMap<>(Cause.class);
        for (Cause cause : Cause.values()) {
            if (at.has(cause.key())) {
                doing.put(cause, at.number(cause.key()));
            }
        }
        return doing;
    }

    private static ThreadSamples.Busy busy(JsonCursor at) {
        Cause cause = key(at, "cause", Cause.values(), Cause::key);
        return new ThreadSamples.Busy(
                cause,
                PlaceText.place(cause, at.text("where")),
                at.number("threads"),
                at.maybeText("holder").flatMap(PlaceText::holder));
    }

    private static Knee knee(JsonCursor at) {
        return new Knee(
                at.number("concurrency"),
                at.interval("ci95"),
                at.number("qps"),
                at.number("rtMs"),
                at.text("method"),
                at.number("loadSeconds"),
                at.maybe(
                        "predicted",
                        p ->
                                new Knee.Predicted(
                                        p.number("concurrency"),
                                        p.number("qps"),
                                        // results of before the key existed
                                        !p.has("ofTheLimit") || p.flag("ofTheLimit"),
                                        p.text("formula"))),
                curve(at, "model"));
    }

    /// Empty in results of before the key existed.
    private static List<CurvePoint> curve(JsonCursor at, String key) {
        return at.has(key)
                ? at.each(
                        key,
                        p ->
                                new CurvePoint(
                                        p.number("concurrency"), p.number("qps"), p.number("rtMs")))
                : List.of();
    }

    private static Demand demand(JsonCursor at) {
        return new Demand(
                at.text("resource"),
                at.number("ms"),
                at.maybeInterval("ci95"),
                at.has("rounds") ? (int) at.count("rounds") : 0,
                at.number("units"),
                at.number("utilisationAtKnee"));
    }

    private static Verdict verdict(JsonCursor at) {
        return new Verdict(
                key(at, "bottleneck", Bottleneck.values(), Bottleneck::key),
                at.text("where"),
                at.number("confidence"),
                at.text("says"),
                at.each(
                        "evidence",
                        e ->
                                new Verdict.EvidenceLine(
                                        e.text("id"),
                                        e.text("says"),
                                        e.number("value"),
                                        e.text("unit"),
                                        e.number("limit"))),
                at.each(
                        "runnersUp",
                        r ->
                                new Verdict.RunnerUp(
                                        key(r, "bottleneck", Bottleneck.values(), Bottleneck::key),
                                        r.number("confidence"),
                                        r.text("whyNot"))));
    }

    private static WhatIf whatIf(JsonCursor at) {
        return new WhatIf(
                at.text("change"),
                at.number("qps"),
                at.number("rtMs"),
                at.number("kneeConcurrency"),
                at.text("formula"),
                curve(at, "curve"));
    }

    private static Recommendation prescription(JsonCursor at) {
        return new Recommendation(
                at.text("id"),
                at.text("says"),
                at.text("change"),
                ChangeJson.all(at),
                at.has("how") ? at.text("how") : "",
                at.maybeNumber("predictedQpsRatio"),
                at.maybeNumber("predictedRtRatio"),
                at.has("atMost") && at.flag("atMost"),
                at.has("formula") ? at.text("formula") : "",
                at.flag("tryable"),
                at.maybeNumber("measuredQpsRatio"));
    }

    private static Validity validity(JsonCursor at) {
        return new Validity(
                at.flag("ok"),
                at.each(
                        "warnings",
                        w -> new Validity.Warning(w.text("id"), w.text("says"), w.flag("spoils"))));
    }

    /// The constant whose key stands there.
    static <E> E key(JsonCursor at, String key, E[] all, Function<E, String> keyOf) {
        String text = at.text(key);
        return Arrays.stream(all)
                .filter(e -> keyOf.apply(e).equals(text))
                .findFirst()
                .orElseThrow(() -> at.at(key).not("one of the names in the contract"));
    }
}
