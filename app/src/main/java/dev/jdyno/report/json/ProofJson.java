package dev.jdyno.report.json;

import dev.jdyno.measure.Proof;
import java.util.Arrays;
import java.util.Optional;

/// What came of putting the verdict to the test, as JSON and back: the key `proof` of a result.
final class ProofJson {
    private ProofJson() {}

    public static JsonObject tree(Proof p) {
        return new JsonObject()
                .put("answer", p.answer().key())
                .put("says", p.says())
                .putEach("tried", p.tried(), ProofJson::tried)
                .put("notTried", p.notTried());
    }

    private static JsonObject tried(Proof.Tried t) {
        return new JsonObject()
                .put("id", t.id())
                .put("change", t.change())
                .put("why", t.why())
                .put("figure", t.figure())
                .put("predictedRatio", t.predicted())
                .put("agreesWith", t.agrees())
                .put("ratio", t.ratio())
                .put("ratioRange", t.ratioRange())
                .put("answer", t.answer().key())
                .put("before", point(t.before()))
                .put("changed", point(t.changed()))
                .put("after", t.after(), ProofJson::point)
                .putText("stays", t.stays());
    }

    private static JsonObject point(Proof.Point p) {
        return new JsonObject()
                .put("concurrency", p.concurrency())
                .put("qps", p.qps())
                .put("rtMs", p.rtMs())
                .putNumber("processCores", p.processCores());
    }

    static Proof read(JsonCursor at) {
        return new Proof(
                answer(at),
                at.text("says"),
                at.each("tried", ProofJson::readTried),
                at.texts("notTried"));
    }

    private static Proof.Answer answer(JsonCursor at) {
        String key = at.text("answer");
        return Arrays.stream(Proof.Answer.values())
                .filter(a -> a.key().equals(key))
                .findFirst()
                .orElseThrow(() -> at.at("answer").not("an answer such as agreed"));
    }

    private static Proof.Tried readTried(JsonCursor at) {
        return new Proof.Tried(
                at.text("id"),
                at.text("change"),
                at.text("why"),
                at.text("figure"),
                at.number("predictedRatio"),
                at.interval("agreesWith"),
                at.number("ratio"),
                at.interval("ratioRange"),
                answer(at),
                at.one("before", ProofJson::readPoint),
                at.one("changed", ProofJson::readPoint),
                at.maybe("after", ProofJson::readPoint),
                at.has("stays") ? at.maybeText("stays") : Optional.empty());
    }

    private static Proof.Point readPoint(JsonCursor at) {
        return new Proof.Point(
                at.smallCount("concurrency"),
                at.number("qps"),
                at.number("rtMs"),
                at.maybeNumber("processCores"));
    }
}
