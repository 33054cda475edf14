package dev.jdyno.report.json;

import dev.jdyno.measure.Insight;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.LoggingCost;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.thread.StageTimes;
import java.util.Arrays;
import java.util.List;

/// Flame graphs, stages and what grew with the load as JSON and back: the key `insight` of a
/// result.
public final class InsightJson {
    private InsightJson() {}

    public static JsonObject tree(Insight i) {
        return new JsonObject()
                .putEach("profiles", i.profiles(), InsightJson::profile)
                .putEach("stages", i.stages(), InsightJson::stageTimes)
                .putEach("grown", i.grown(), InsightJson::grown)
                .putEach(
                        "logging",
                        i.logging(),
                        c ->
                                new JsonObject()
                                        .put("file", c.file())
                                        .put("part", c.part())
                                        .put("says", c.says())
                                        .put("change", c.change()))
                .putEach(
                        "waits",
                        i.waits(),
                        w ->
                                new JsonObject()
                                        .put("concurrency", w.concurrency())
                                        .put("cause", w.cause().key())
                                        .put("where", w.where())
                                        .put("count", w.count())
                                        .put("perRequestMs", w.perRequestMs()))
                .putEach("since", i.since(), InsightJson::grown)
                .putEach(
                        "allocations",
                        i.allocations(),
                        a ->
                                new JsonObject()
                                        .put("concurrency", a.concurrency())
                                        .put("type", a.type())
                                        .put("site", a.site())
                                        .put("samples", a.samples())
                                        .put("share", a.share())
                                        .put("bytesPerRequest", a.bytesPerRequest()))
                .putEach("exceptions", i.exceptions(), InsightJson::thrown)
                .putEach("pinned", i.pinned(), InsightJson::pinned)
                .put("missing", i.missing());
    }

    private static JsonObject thrown(Insight.Thrown t) {
        return new JsonObject()
                .put("concurrency", t.concurrency())
                .put("type", t.type())
                .put("site", t.site())
                .put("samples", t.samples())
                .put("share", t.share())
                .put("perSecond", t.perSecond())
                .put("perRequest", t.perRequest());
    }

    private static JsonObject pinned(Insight.Pinned p) {
        return new JsonObject()
                .put("concurrency", p.concurrency())
                .put("site", p.site())
                .put("by", p.by().key())
                .put("reason", p.reason())
                .put("count", p.count())
                .put("threads", p.threads())
                .put("perRequestMs", p.perRequestMs());
    }

    private static JsonObject grown(Insight.Grown g) {
        return new JsonObject()
                .put("kind", g.kind().key())
                .put("method", g.method())
                .put("beforeMs", g.beforeMs())
                .put("afterMs", g.afterMs());
    }

    private static JsonObject profile(Profile p) {
        return new JsonObject()
                .put("kind", p.kind().key())
                .put("source", p.source())
                .put("concurrency", p.concurrency())
                .put("qps", p.qps())
                .put("threadsPerSample", p.threadsPerSample())
                .put("pruned", p.pruned())
                .put("root", node(p.root()));
    }

    private static JsonObject node(Profile.Node n) {
        return new JsonObject()
                .put("frame", n.frame())
                .put("samples", n.samples())
                .putEach("children", n.children(), InsightJson::node);
    }

    public static JsonObject stageTimes(StageTimes s) {
        return new JsonObject()
                .put("concurrency", s.concurrency())
                .put("seconds", s.seconds())
                .put("source", s.source())
                .putEach("stages", s.stages(), InsightJson::stage)
                .putEach(
                        "intervals",
                        s.parts(),
                        p ->
                                new JsonObject()
                                        .put("fromS", p.fromS())
                                        .put("toS", p.toS())
                                        .putEach("stages", p.stages(), InsightJson::stage))
                .put("note", s.note());
    }

    private static JsonObject stage(StageTimes.Stage s) {
        return new JsonObject()
                .put("tag", s.tag())
                .put("count", s.count())
                .putNumber("meanMs", s.meanMs())
                .putNumber("minMs", s.minMs())
                .putNumber("maxMs", s.maxMs())
                .putNumber("stdDevMs", s.stdDevMs())
                .put("from", s.from());
    }

    static Insight read(JsonCursor at) {
        return new Insight(
                at.each("profiles", InsightJson::readProfile),
                at.each("stages", InsightJson::readTimes),
                at.each("grown", InsightJson::readGrown),
                at.each(
                        "logging",
                        c ->
                                new LoggingCost(
                                        c.text("file"),
                                        c.text("part"),
                                        c.text("says"),
                                        c.text("change"))),
                at.each("waits", InsightJson::readWait),
                at.each("since", InsightJson::readGrown),
                at.has("allocations")
                        ? at.each("allocations", InsightJson::readAllocation)
                        : List.of(),
                at.has("exceptions") ? at.each("exceptions", InsightJson::readThrown) : List.of(),
                at.has("pinned") ? at.each("pinned", InsightJson::readPinned) : List.of(),
                at.texts("missing"));
    }

    private static Insight.Thrown readThrown(JsonCursor at) {
        return new Insight.Thrown(
                at.smallCount("concurrency"),
                at.text("type"),
                at.text("site"),
                at.count("samples"),
                at.number("share"),
                at.number("perSecond"),
                at.number("perRequest"));
    }

    private static Insight.Allocation readAllocation(JsonCursor at) {
        return new Insight.Allocation(
                at.smallCount("concurrency"),
                at.text("type"),
                at.text("site"),
                at.count("samples"),
                at.number("share"),
                at.number("bytesPerRequest"));
    }

    private static Insight.Pinned readPinned(JsonCursor at) {
        String key = at.text("by");
        return new Insight.Pinned(
                at.smallCount("concurrency"),
                at.text("site"),
                Arrays.stream(Insight.Pinned.By.values())
                        .filter(by -> by.key().equals(key))
                        .findFirst()
                        .orElseThrow(() -> at.at("by").not("what pins, such as monitor")),
                at.text("reason"),
                at.count("count"),
                at.number("threads"),
                at.number("perRequestMs"));
    }

    private static Insight.Grown readGrown(JsonCursor at) {
        return new Insight.Grown(
                kind(at), at.text("method"), at.number("beforeMs"), at.number("afterMs"));
    }

    private static Insight.Wait readWait(JsonCursor at) {
        String key = at.text("cause");
        Cause cause =
                Arrays.stream(Cause.values())
                        .filter(c -> c.key().equals(key))
                        .findFirst()
                        .orElseThrow(() -> at.at("cause").not("a cause such as disk"));
        return new Insight.Wait(
                at.smallCount("concurrency"),
                cause,
                at.text("where"),
                at.count("count"),
                at.number("perRequestMs"));
    }

    private static Profile.Kind kind(JsonCursor at) {
        String key = at.text("kind");
        return Arrays.stream(Profile.Kind.values())
                .filter(k -> k.key().equals(key))
                .findFirst()
                .orElseThrow(() -> at.at("kind").not("cpu or wall"));
    }

    private static Profile readProfile(JsonCursor at) {
        return new Profile(
                kind(at),
                at.text("source"),
                at.smallCount("concurrency"),
                at.number("qps"),
                at.number("threadsPerSample"),
                at.count("pruned"),
                at.one("root", InsightJson::readNode));
    }

    private static Profile.Node readNode(JsonCursor at) {
        return new Profile.Node(
                at.text("frame"), at.count("samples"), at.each("children", InsightJson::readNode));
    }

    private static StageTimes readTimes(JsonCursor at) {
        return new StageTimes(
                at.smallCount("concurrency"),
                at.number("seconds"),
                at.text("source"),
                at.each("stages", InsightJson::readStage),
                at.has("intervals")
                        ? at.each(
                                "intervals",
                                p ->
                                        new StageTimes.Part(
                                                p.number("fromS"),
                                                p.number("toS"),
                                                p.each("stages", InsightJson::readStage)))
                        : List.of(),
                at.text("note"));
    }

    private static StageTimes.Stage readStage(JsonCursor at) {
        return new StageTimes.Stage(
                at.text("tag"),
                at.count("count"),
                at.maybeNumber("meanMs"),
                at.maybeNumber("minMs"),
                at.maybeNumber("maxMs"),
                at.maybeNumber("stdDevMs"),
                at.has("from") ? at.text("from") : "");
    }
}
