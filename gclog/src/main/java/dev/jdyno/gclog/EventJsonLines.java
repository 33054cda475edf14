package dev.jdyno.gclog;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.measure.text.Printable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Writes the events of a log as JSON Lines while it is read: everything the log showed of an
/// event, its phases and age table too. What the log does not tell has no key.
public final class EventJsonLines implements Consumer<GcEvent> {
    private final Writer out;
    private final ObjectMapper mapper = new ObjectMapper();

    /// @param out is written to and neither flushed nor closed
    public EventJsonLines(Writer out) {
        this.out = out;
    }

    @Override
    public void accept(GcEvent event) {
        ObjectNode node = mapper.createObjectNode();
        node.put("line", event.line());
        node.put("event", name(event));
        node.put("uptimeS", event.when().uptimeS());
        put(node, "epochMs", event.when().epochMs());
        switch (event) {
            case GcEvent.Pause p -> pause(node, p);
            case GcEvent.Cycle c -> cycle(node, c);
            case GcEvent.ConcurrentPhase c -> {
                node.put("kind", c.name());
                node.put("ms", c.ms());
            }
            case GcEvent.SafepointStop s -> {
                node.put("kind", s.operation());
                node.put("ms", s.totalMs());
                node.put("reachingMs", s.reachingMs());
                node.put("leavingMs", s.leavingMs());
            }
            case GcEvent.Stall s -> {
                node.put("thread", s.thread());
                node.put("ms", s.ms());
            }
            case GcEvent.JvmStart _ -> {}
        }
        try {
            out.write(Printable.json(mapper.writeValueAsString(node)));
            out.write('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String name(GcEvent event) {
        return switch (event) {
            case GcEvent.Pause _ -> "pause";
            case GcEvent.Cycle _ -> "cycle";
            case GcEvent.ConcurrentPhase _ -> "concurrentPhase";
            case GcEvent.SafepointStop _ -> "safepoint";
            case GcEvent.Stall _ -> "stall";
            case GcEvent.JvmStart _ -> "jvmStart";
        };
    }

    private void pause(ObjectNode node, GcEvent.Pause p) {
        put(node, "id", p.id());
        node.put("kind", p.kind().key());
        node.put("cause", p.cause());
        node.put("ms", p.ms());
        space(node, "heap", p.heap());
        space(node, "young", p.young());
        space(node, "old", p.old());
        space(node, "metaspace", p.metaspace());
        p.cpu()
                .ifPresent(cpu -> {
                    ObjectNode inner = node.putObject("cpu");
                    inner.put("userS", cpu.userS());
                    inner.put("sysS", cpu.systemS());
                    inner.put("realS", cpu.realS());
                });
        p.tenuring()
                .ifPresent(t -> {
                    ObjectNode inner = node.putObject("tenuring");
                    put(inner, "desiredBytes", t.desiredBytes());
                    inner.put("threshold", t.threshold());
                    inner.put("maxThreshold", t.maxThreshold());
                    ArrayNode ages = inner.putArray("bytesByAge");
                    t.bytesByAge().forEach(ages::add);
                });
        put(node, "promotedBytes", p.promotedBytes());
        put(node, "humongousBytes", p.humongousBytes());
        if (!p.phases().isEmpty()) {
            ArrayNode phases = node.putArray("phases");
            for (GcEvent.Phase phase : p.phases()) {
                phases.addObject().put("name", phase.name()).put("ms", phase.ms());
            }
        }
        if (!p.troubles().isEmpty()) {
            ArrayNode troubles = node.putArray("troubles");
            p.troubles().forEach(t -> troubles.add(t.key()));
        }
        if (p.nested()) {
            node.put("nested", true);
        }
    }

    private static void cycle(ObjectNode node, GcEvent.Cycle c) {
        put(node, "id", c.id());
        node.put("kind", c.kind());
        node.put("cause", c.cause());
        c.ms().ifPresent(ms -> node.put("ms", ms));
        space(node, "heap", c.heap());
        put(node, "allocatedBytes", c.allocatedBytes());
        put(node, "liveBytes", c.liveBytes());
        put(node, "promotedBytes", c.promotedBytes());
    }

    private static void space(ObjectNode node, String key, Optional<GcEvent.Occupancy> space) {
        space.ifPresent(o -> {
            ObjectNode inner = node.putObject(key);
            inner.put("before", o.beforeBytes());
            inner.put("after", o.afterBytes());
            put(inner, "capacity", o.capacityBytes());
        });
    }

    private static void put(ObjectNode node, String key, OptionalLong value) {
        if (value.isPresent()) {
            node.put(key, value.getAsLong());
        }
    }
}
