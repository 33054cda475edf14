package dev.jdyno.report.json;

import dev.jdyno.measure.thread.PoolQueue;

/// Who waits for a pool, to and from JSON.
final class QueueJson {
    private QueueJson() {}

    public static JsonObject tree(PoolQueue q) {
        return new JsonObject()
                .put("pool", q.pool())
                .put("kind", q.kind().key())
                .putNumber("size", q.size())
                .putNumber("busy", q.busy())
                .putNumber("length", q.length())
                .put("atLeast", q.atLeast())
                .put("from", q.from());
    }

    static PoolQueue of(JsonCursor at) {
        return new PoolQueue(
                at.text("pool"),
                ResultReader.key(at, "kind", PoolQueue.Kind.values(), PoolQueue.Kind::key),
                at.maybeNumber("size"),
                at.maybeNumber("busy"),
                at.maybeNumber("length"),
                at.flag("atLeast"),
                at.text("from"));
    }
}
