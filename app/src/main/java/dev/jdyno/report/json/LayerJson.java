package dev.jdyno.report.json;

import dev.jdyno.measure.thread.LayerLimit;
import dev.jdyno.measure.verdict.Layer;
import dev.jdyno.report.words.LayerText;
import java.util.List;
import java.util.Optional;

/// What layers let in, to and from JSON.
public final class LayerJson {
    private LayerJson() {}

    public static JsonObject tree(Layer l) {
        return new JsonObject()
                .put("layer", LayerText.name(l))
                .put("kind", l.kind().key())
                .put("of", l.of())
                .put("atOnce", l.atOnce())
                .put("atLeast", l.atLeast())
                .put("from", l.from())
                .put("waits", l.waits())
                .put("smallest", l.smallest());
    }

    /// Results of before its kind was written have no layers.
    static List<Layer> layers(JsonCursor at) {
        return at.has("layers")
                ? at.each("layers", LayerJson::layer).stream().flatMap(Optional::stream).toList()
                : List.of();
    }

    private static Optional<Layer> layer(JsonCursor at) {
        return at.has("kind")
                ? Optional.of(
                        new Layer(
                                ResultReader.key(at, "kind", Layer.Kind.values(), Layer.Kind::key),
                                at.text("of"),
                                at.number("atOnce"),
                                at.flag("atLeast"),
                                at.text("from"),
                                at.flag("smallest")))
                : Optional.empty();
    }

    static JsonObject limit(LayerLimit l) {
        return new JsonObject()
                .put("layer", l.layer())
                .put("kind", l.kind().key())
                .put("atOnce", l.atOnce())
                .put("from", l.from());
    }

    static LayerLimit limit(JsonCursor at) {
        return new LayerLimit(
                at.text("layer"),
                ResultReader.key(at, "kind", LayerLimit.Kind.values(), LayerLimit.Kind::key),
                at.number("atOnce"),
                at.text("from"));
    }
}
