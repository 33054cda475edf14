package dev.jdyno.report.json;

import dev.jdyno.measure.verdict.Change;
import dev.jdyno.tune.Diagnosed;
import dev.jdyno.tune.Measured;
import dev.jdyno.tune.Tuned;
import java.util.Optional;

/// `jdyno/tune/1`.
public final class TuneJson {
    private TuneJson() {}

    public static String of(Tuned t) {
        return new JsonObject()
                .put("schema", "jdyno/tune/1")
                .put("improved", t.improved().key())
                .put("baseline", diagnosed(t.baseline()))
                .putEach("rounds", t.rounds(), TuneJson::round)
                .put("result", result(t))
                .putEach("ablation", t.ablation(), TuneJson::ablated)
                .putEach(
                        "next",
                        t.next(),
                        a ->
                                new JsonObject()
                                        .put("says", a.says())
                                        .putNumber("predictedQpsRatio", a.predictedQpsRatio()))
                .putNumber("predictionError", t.predictions().medianError())
                .put("bounds", t.predictions().bounds())
                .put("boundsHeld", t.predictions().held())
                .put("seconds", t.seconds())
                .put("resumed", t.resumed())
                .put("partial", t.partial())
                .put("notes", t.notes())
                .node()
                .toString();
    }

    private static JsonObject diagnosed(Diagnosed d) {
        return new JsonObject()
                .put("qps", d.qps())
                .put("rtMs", d.rtMs())
                .put("concurrency", (long) d.concurrency())
                .put("bottleneck", d.bottleneck())
                .put("where", d.where())
                .put("confidence", d.confidence())
                .put("says", d.says());
    }

    private static JsonObject round(Tuned.Round round) {
        return diagnosed(round.diagnosed()).putEach("tried", round.tried(), TuneJson::tried);
    }

    private static JsonObject tried(Tuned.Tried t) {
        return measured(
                        new JsonObject()
                                .put("id", t.candidate().id())
                                .put("says", t.candidate().says())
                                .putEach("changes", t.candidate().changes(), TuneJson::change)
                                .putNumber("predictedQpsRatio", t.candidate().predictedQpsRatio())
                                .put("predictedAtMost", t.candidate().atMost()),
                        t.best())
                .put("outcome", t.fate().key())
                .put("why", t.why());
    }

    private static JsonObject measured(JsonObject json, Optional<Measured> m) {
        return json.putNumber("ratio", m.flatMap(Measured::gain))
                .putInterval("ci95", m.flatMap(Measured::ci95))
                .put("starts", (long) m.map(Measured::starts).orElse(0));
    }

    private static JsonObject change(Change change) {
        return ChangeJson.tree(change);
    }

    private static JsonObject ablated(Tuned.Ablated a) {
        return measured(
                        new JsonObject()
                                .put("change", change(a.change()))
                                .put("instead", a.instead(), TuneJson::change),
                        Optional.of(a.measured()))
                .put("kept", a.kept());
    }

    private static JsonObject result(Tuned t) {
        var environment = new JsonObject();
        t.changes().stream()
                .filter(Change.EnvironmentVariable.class::isInstance)
                .map(Change.EnvironmentVariable.class::cast)
                .forEach(v -> environment.put(v.name(), v.value()));
        return measured(
                        new JsonObject().putEach("changes", t.changes(), TuneJson::change),
                        t.confirmed())
                .putNumber("before", t.confirmed().flatMap(Measured::a))
                .putNumber("after", t.confirmed().flatMap(Measured::b))
                .put("command", t.command())
                .put("environment", environment)
                .putEach(
                        "files",
                        t.files(),
                        f ->
                                new JsonObject()
                                        .put("original", f.original())
                                        .put("copy", f.copy())
                                        .put("diff", f.diff()));
    }
}
