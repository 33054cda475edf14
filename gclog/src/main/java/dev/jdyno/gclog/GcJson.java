package dev.jdyno.gclog;

import dev.jdyno.gclog.event.PauseKind;
import dev.jdyno.gclog.event.PhaseTotal;
import dev.jdyno.gclog.event.Trouble;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.gclog.sums.Distribution;
import dev.jdyno.measure.load.Incomplete;
import dev.jdyno.measure.statistics.Trend;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.json.JsonFactory;

/// The `jdyno/gc/1` document of docs/contract.md. Written by the streaming generator: data binding
/// would take longer to start than a small log takes to read.
public final class GcJson {
    private GcJson() {}

    /// @param qps requests per second that the log's JVM served, for the bytes per request (F7)
    /// @param diagnoses what is wrong, worst first
    /// @param withheld whether too little was understood to diagnose
    public static String write(
            Analysis a, OptionalDouble qps, List<GcDiagnosis> diagnoses, boolean withheld) {
        StringWriter text = new StringWriter();
        try (JsonGenerator g =
                new JsonFactory()
                        .createGenerator(tools.jackson.core.ObjectWriteContext.empty(), text)) {
            g.writeStartObject();
            g.writeStringProperty("schema", "jdyno/gc/1");
            g.writeStringProperty("source", a.source());
            g.writeStringProperty("collector", a.collector().key());
            g.writeBooleanProperty("generational", a.generational());
            g.writeName("jdk");
            string(g, a.setup().jdk());
            number(g, "spanS", a.spanS());
            g.writeNumberProperty("lines", a.lines().total());
            g.writeNumberProperty("linesUnread", a.lines().unread());
            g.writeNumberProperty("linesSkipped", a.lines().skipped());
            g.writeNumberProperty("linesForeign", a.lines().foreign());
            g.writeNumberProperty("linesBroken", a.lines().broken());
            g.writeNumberProperty("linesJoined", a.lines().joined());
            g.writeArrayPropertyStart("firstUnread");
            for (Analysis.Unread u : a.lines().firstUnread()) {
                g.writeStartObject();
                g.writeNumberProperty("line", u.line());
                g.writeStringProperty("text", u.text());
                g.writeEndObject();
            }
            g.writeEndArray();
            incomplete(g, a.incomplete());
            g.writeNumberProperty("jvmStarts", a.restarts() + 1);
            events(g, a);
            g.writeName("pausesMs");
            distribution(g, a.pauses());
            g.writeObjectPropertyStart("pausesByKindMs");
            for (PauseKind kind : PauseKind.values()) {
                Distribution d = a.pausesByKind().get(kind);
                if (d != null) {
                    g.writeName(kind.key());
                    distribution(g, d);
                }
            }
            g.writeEndObject();
            number(g, "pauseGoalMs", a.pauseGoalMs());
            number(g, "pausesAboveGoalPct", 100 * a.pausesAboveGoal());
            stopped(g, a);
            number(g, "throughputPct", a.throughputPct());
            heap(g, a);
            number(g, "allocBytesPerS", a.allocBytesPerS());
            number(g, "promotedBytesPerS", a.promotedBytesPerS());
            number(
                    g,
                    "requestBytes",
                    qps.isPresent()
                            ? a.allocBytesPerS().map(rate -> rate / qps.getAsDouble())
                            : Optional.empty());
            causes(g, a);
            troubles(g, a);
            ages(g, a);
            phases(g, a);
            g.writeBooleanProperty("diagnosesWithheld", withheld);
            diagnoses(g, diagnoses);
            g.writeEndObject();
        }
        return text.toString();
    }

    private static void incomplete(JsonGenerator g, List<Incomplete> all) {
        g.writeArrayPropertyStart("incomplete");
        for (Incomplete i : all) {
            g.writeStartObject();
            g.writeStringProperty("file", i.file());
            g.writeStringProperty("kind", i.kind().key());
            g.writeNumberProperty("behindLine", i.behindLine());
            g.writeStringProperty("says", i.says());
            g.writeEndObject();
        }
        g.writeEndArray();
    }

    /// Two logs side by side: schema `jdyno/gc-compare/1`, one row a figure.
    public static String comparison(GcComparison compared) {
        StringWriter text = new StringWriter();
        try (JsonGenerator g =
                new JsonFactory()
                        .createGenerator(tools.jackson.core.ObjectWriteContext.empty(), text)) {
            g.writeStartObject();
            g.writeStringProperty("schema", "jdyno/gc-compare/1");
            g.writeStringProperty("before", compared.before().source());
            g.writeStringProperty("after", compared.after().source());
            incomplete(g, compared.incomplete());
            g.writeArrayPropertyStart("rows");
            for (GcComparison.Row row : compared.rows()) {
                g.writeStartObject();
                g.writeStringProperty("name", row.key());
                g.writeStringProperty("unit", row.unit());
                number(g, "before", row.before());
                number(g, "after", row.after());
                number(g, "ratio", row.ratio());
                g.writeEndObject();
            }
            g.writeEndArray();
            g.writeObjectPropertyStart("diagnoses");
            strings(g, "gone", compared.gone());
            strings(g, "stayed", compared.stayed());
            strings(g, "new", compared.came());
            g.writeEndObject();
            g.writeEndObject();
        }
        return text.toString();
    }

    private static void events(JsonGenerator g, Analysis a) {
        g.writeObjectPropertyStart("events");
        for (String key :
                new String[] {
                    "young",
                    "mixed",
                    "full",
                    "initialMark",
                    "remark",
                    "cleanup",
                    "concurrent",
                    "degenerated",
                    "concurrentStart",
                    "prepareMixed",
                    "minor",
                    "major",
                    "undo",
                    "aborted",
                    "step"
                }) {
            g.writeNumberProperty(key, a.count(key));
        }
        g.writeNumberProperty("allocationStall", a.stalls().count());
        g.writeEndObject();
    }

    private static void distribution(JsonGenerator g, Distribution d) {
        g.writeStartObject();
        g.writeNumberProperty("count", d.count());
        number(g, "total", d.total());
        number(g, "mean", d.mean());
        number(g, "p50", d.p50());
        number(g, "p90", d.p90());
        number(g, "p95", d.p95());
        number(g, "p99", d.p99());
        number(g, "p999", d.p999());
        number(g, "max", d.max());
        g.writeNumberProperty("maxLine", d.maxLine());
        g.writeEndObject();
    }

    private static void stopped(JsonGenerator g, Analysis a) {
        Analysis.Stopped s = a.stopped();
        g.writeObjectPropertyStart("stoppedMs");
        number(g, "gc", s.gcMs());
        number(g, "otherSafepoints", s.otherMs());
        number(g, "stalls", s.stallsMs());
        number(g, "reaching", s.reachingMs());
        number(g, "leaving", s.leavingMs());
        g.writeBooleanProperty("safepointsLogged", s.safepointsLogged());
        g.writeEndObject();
        g.writeArrayPropertyStart("worstWindows");
        for (Analysis.WorstWindow w : s.worst()) {
            g.writeStartObject();
            number(g, "seconds", w.seconds());
            number(g, "stoppedPct", w.stoppedPct());
            // minimum mutator utilisation of a window of this length
            number(g, "mmuPct", 100 - w.stoppedPct());
            number(g, "endS", w.endS());
            g.writeNumberProperty("line", w.line());
            g.writeEndObject();
        }
        g.writeEndArray();
    }

    private static void heap(JsonGenerator g, Analysis a) {
        Analysis.Heap h = a.heap();
        g.writeObjectPropertyStart("heap");
        number(g, "maxBytes", h.maxBytes());
        number(g, "liveBytes", h.liveBytes());
        g.writeBooleanProperty("liveIsUpperBound", h.liveIsUpperBound());
        g.writeNumberProperty("highestBytes", h.highestBytes());
        number(g, "youngBytes", h.youngBytes());
        number(g, "oldCapacityBytes", h.oldCapacityBytes());
        number(g, "oldUsedBytes", h.oldUsedBytes());
        g.writeNumberProperty("humongousMaxBytes", h.humongousMaxBytes());
        number(g, "liveTrendBytesPerS", h.trend().map(Trend::perS));
        g.writeEndObject();
    }

    private static void causes(JsonGenerator g, Analysis a) {
        g.writeArrayPropertyStart("causes");
        for (Analysis.CauseTotal c : a.causes()) {
            g.writeStartObject();
            g.writeStringProperty("kind", c.kind().key());
            g.writeStringProperty("cause", c.cause());
            g.writeNumberProperty("count", c.count());
            number(g, "totalMs", c.totalMs());
            number(g, "maxMs", c.maxMs());
            g.writeEndObject();
        }
        g.writeEndArray();
        g.writeArrayPropertyStart("safepoints");
        for (Analysis.SafepointTotal s : a.safepoints()) {
            g.writeStartObject();
            g.writeStringProperty("operation", s.operation());
            g.writeBooleanProperty("ofGc", s.ofGc());
            g.writeNumberProperty("count", s.count());
            number(g, "totalMs", s.totalMs());
            number(g, "maxMs", s.maxMs());
            number(g, "maxReachingMs", s.maxReachingMs());
            g.writeEndObject();
        }
        g.writeEndArray();
    }

    private static void troubles(JsonGenerator g, Analysis a) {
        g.writeObjectPropertyStart("troubles");
        for (Trouble t : Trouble.values()) {
            if (a.trouble(t).any()) {
                g.writeNumberProperty(t.key(), a.trouble(t).count());
            }
        }
        g.writeEndObject();
    }

    private static void ages(JsonGenerator g, Analysis a) {
        Analysis.Ages ages = a.ages();
        g.writeObjectPropertyStart("tenuring");
        g.writeNumberProperty("collections", ages.collections());
        g.writeNumberProperty("tables", ages.tables());
        number(g, "desiredBytes", ages.desiredBytes());
        g.writeNumberProperty("lowestThreshold", ages.lowestThreshold());
        g.writeNumberProperty("maxThreshold", ages.maxThreshold());
        g.writeNumberProperty("lowered", ages.lowered().count());
        g.writeNumberProperty("ageOneAboveDesired", ages.ageOneAbove().count());
        g.writeArrayPropertyStart("meanBytesByAge");
        for (double bytes : ages.meanBytes()) {
            g.writeNumber(rounded(bytes));
        }
        g.writeEndArray();
        g.writeEndObject();
    }

    private static void strings(JsonGenerator g, String name, List<String> values) {
        g.writeArrayPropertyStart(name);
        values.forEach(g::writeString);
        g.writeEndArray();
    }

    private static void phases(JsonGenerator g, Analysis a) {
        g.writeArrayPropertyStart("phases");
        for (PhaseTotal p : a.phases()) {
            g.writeStartObject();
            g.writeStringProperty("name", p.name());
            g.writeNumberProperty("count", p.count());
            number(g, "totalMs", p.totalMs());
            number(g, "maxMs", p.maxMs());
            g.writeEndObject();
        }
        g.writeEndArray();
    }

    private static void diagnoses(JsonGenerator g, List<GcDiagnosis> diagnoses) {
        g.writeArrayPropertyStart("diagnoses");
        for (GcDiagnosis d : diagnoses) {
            g.writeStartObject();
            g.writeStringProperty("id", d.id());
            g.writeStringProperty("severity", d.severity().key());
            g.writeStringProperty("says", d.says());
            g.writeStringProperty("why", d.why());
            g.writeArrayPropertyStart("evidence");
            for (GcDiagnosis.Evidence e : d.evidence()) {
                g.writeStartObject();
                g.writeStringProperty("says", e.says());
                number(g, "value", e.value());
                g.writeStringProperty("unit", e.unit());
                number(g, "limit", e.limit());
                g.writeArrayPropertyStart("lines");
                e.lines().forEach(g::writeNumber);
                g.writeEndArray();
                g.writeEndObject();
            }
            g.writeEndArray();
            strings(g, "advice", d.advice());
            g.writeName("predicted");
            string(g, d.predicted());
            g.writeStringProperty("verify", d.verify());
            g.writeEndObject();
        }
        g.writeEndArray();
    }

    private static void string(JsonGenerator g, Optional<String> text) {
        if (text.isPresent()) {
            g.writeString(text.get());
        } else {
            g.writeNull();
        }
    }

    private static void number(JsonGenerator g, String name, Optional<Double> value) {
        g.writeName(name);
        if (value.isPresent()) {
            g.writeNumber(rounded(value.get()));
        } else {
            g.writeNull();
        }
    }

    private static void number(JsonGenerator g, String name, double value) {
        g.writeName(name);
        g.writeNumber(rounded(value));
    }

    /// To a millionth: sums of binary fractions carry meaningless digits.
    private static double rounded(double value) {
        return Math.abs(value) > 1e12 ? value : Math.round(value * 1e6) / 1e6;
    }
}
