package dev.jdyno.report.json;

import dev.jdyno.measure.verdict.GoalKnee;
import java.util.Optional;

/// The bracket under response-time goals as JSON and back: the key `goal` of a result.
final class GoalJson {
    private GoalJson() {}

    public static JsonObject tree(GoalKnee g) {
        return new JsonObject()
                .put("goals", g.goals())
                .putNumber("goodPerS", g.good())
                .putNumber("badPerS", g.bad())
                .putNumber("estimatePerS", known(g.estimate()))
                .putNumber("steepness", known(g.steepness()))
                .put("hard", g.hard())
                .put("bindingGoal", g.bindingGoal())
                .put("limit", g.limit())
                .putNumber("pausesShare", known(g.pausesShare()))
                .putNumber("saturationQps", known(g.saturationQps()))
                .put("loadSeconds", g.loadSeconds())
                .put("requests", g.requests())
                .put(
                        "pauses",
                        g.pauses(),
                        p ->
                                new JsonObject()
                                        .put("count", p.count())
                                        .put("seconds", p.seconds())
                                        .put("perRequest", p.perRequest())
                                        .put("medianMs", p.medianMs())
                                        .put("longestMs", p.longestMs()))
                .put("cost", g.cost())
                .put("reason", g.reason())
                .put("says", g.says())
                .put("narrow", g.narrow())
                .putEach(
                        "tests",
                        g.tests(),
                        t ->
                                new JsonObject()
                                        .put("ratePerS", t.ratePerS())
                                        .put("seconds", t.seconds())
                                        .put("outcome", t.outcome())
                                        .put("why", t.why())
                                        .putEach("misses", t.misses(), GoalJson::misses));
    }

    /// What was not measured is null.
    private static Optional<Double> known(double figure) {
        return Double.isNaN(figure) ? Optional.empty() : Optional.of(figure);
    }

    private static JsonObject misses(GoalKnee.Misses m) {
        return new JsonObject()
                .put("goal", m.goal())
                .put("share", m.share())
                .put("lo", m.lo())
                .put("hi", m.hi())
                .put("allowed", m.allowed());
    }

    static GoalKnee read(JsonCursor at) {
        return new GoalKnee(
                at.texts("goals"),
                at.maybeNumber("goodPerS"),
                at.maybeNumber("badPerS"),
                at.maybeNumber("estimatePerS").orElse(Double.NaN),
                at.maybeNumber("steepness").orElse(Double.NaN),
                at.flag("hard"),
                at.text("bindingGoal"),
                at.text("limit"),
                at.maybeNumber("pausesShare").orElse(Double.NaN),
                at.maybeNumber("saturationQps").orElse(Double.NaN),
                at.number("loadSeconds"),
                at.count("requests"),
                at.maybe(
                        "pauses",
                        p ->
                                new GoalKnee.Pauses(
                                        p.count("count"),
                                        p.number("seconds"),
                                        p.number("perRequest"),
                                        p.number("medianMs"),
                                        p.number("longestMs"))),
                at.text("cost"),
                at.text("reason"),
                at.text("says"),
                at.text("narrow"),
                at.each("tests", GoalJson::tested));
    }

    private static GoalKnee.Tested tested(JsonCursor at) {
        return new GoalKnee.Tested(
                at.number("ratePerS"),
                at.number("seconds"),
                at.text("outcome"),
                at.has("why") ? at.text("why") : "", // results of before the key existed
                at.each(
                        "misses",
                        m ->
                                new GoalKnee.Misses(
                                        m.text("goal"),
                                        m.number("share"),
                                        m.number("lo"),
                                        m.number("hi"),
                                        m.number("allowed"))));
    }
}
