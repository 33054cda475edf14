package dev.jdyno.report;

import dev.jdyno.capacity.Layers;
import dev.jdyno.measure.LayerLimit;

/// What layers let in, to and from JSON.
final class LayerJson {
    private LayerJson() {}

    static JsonObject tree(Layers.Layer l) {
        return new JsonObject()
                .put("layer", l.name())
                .put("atOnce", l.atOnce())
                .put("atLeast", l.atLeast())
                .put("from", l.from())
                .put("waits", l.waits())
                .put("smallest", l.smallest());
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
