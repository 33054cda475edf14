package dev.jdyno.report.json;

import dev.jdyno.measure.thread.DiskUse;

/// What a disk did, to and from JSON.
final class DiskJson {
    private DiskJson() {}

    public static JsonObject tree(DiskUse d) {
        return new JsonObject()
                .put("device", d.device())
                .put("ofTarget", d.ofTarget())
                .put("readsPerS", d.readsPerS())
                .put("writesPerS", d.writesPerS())
                .put("readBytesPerS", d.readBytesPerS())
                .put("writtenBytesPerS", d.writtenBytesPerS())
                .put("utilisation", d.utilisation())
                .putNumber("waitMs", d.waitMs())
                .put("queueDepth", d.queueDepth())
                .put("flushes", d.flushes(), DiskJson::flushes);
    }

    private static JsonObject flushes(DiskUse.Flushes f) {
        return new JsonObject().put("perS", f.perS()).putNumber("waitMs", f.waitMs());
    }

    static DiskUse of(JsonCursor at) {
        return new DiskUse(
                at.text("device"),
                at.flag("ofTarget"),
                at.number("readsPerS"),
                at.number("writesPerS"),
                at.number("readBytesPerS"),
                at.number("writtenBytesPerS"),
                at.number("utilisation"),
                at.maybeNumber("waitMs"),
                at.number("queueDepth"),
                at.maybe(
                        "flushes",
                        f -> new DiskUse.Flushes(f.number("perS"), f.maybeNumber("waitMs"))));
    }
}
