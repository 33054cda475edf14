package dev.jdyno.gclog;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.gclog.event.Trouble;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;

/// An event as one line of JSON. Its components are the keys of the documented format, in this
/// order. A value that the log does not show has no key.
///
/// @param event kind of the event
/// @param of components of this kind only; null if it has none
record EventForm(
        long line,
        String event,
        double uptimeS,
        OptionalLong epochMs,
        @JsonUnwrapped @Nullable Record of) {
    private static final JsonMapper MAPPER =
            JsonMapper.builder()
                    .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                    .disable(MapperFeature.SORT_CREATOR_PROPERTIES_FIRST)
                    .withConfigOverride(Optional.class, c -> c.setInclude(only(Include.NON_ABSENT)))
                    .withConfigOverride(
                            OptionalLong.class, c -> c.setInclude(only(Include.NON_EMPTY)))
                    .withConfigOverride(
                            OptionalDouble.class, c -> c.setInclude(only(Include.NON_EMPTY)))
                    .build();

    private static JsonInclude.Value only(Include included) {
        return JsonInclude.Value.construct(included, Include.ALWAYS);
    }

    static EventForm of(GcEvent event) {
        return switch (event) {
            case GcEvent.Pause p -> form(p, "pause", Pause.of(p));
            case GcEvent.Cycle c -> form(c, "cycle", Cycle.of(c));
            case GcEvent.ConcurrentPhase c ->
                    form(c, "concurrentPhase", new ConcurrentPhase(c.name(), c.ms()));
            case GcEvent.SafepointStop s ->
                    form(
                            s,
                            "safepoint",
                            new SafepointStop(
                                    s.operation(), s.totalMs(), s.reachingMs(), s.leavingMs()));
            case GcEvent.Stall s -> form(s, "stall", new Stall(s.thread(), s.ms()));
            case GcEvent.JvmStart s -> form(s, "jvmStart", null);
        };
    }

    private static EventForm form(GcEvent event, String name, @Nullable Record of) {
        return new EventForm(
                event.line(), name, event.when().uptimeS(), event.when().epochMs(), of);
    }

    String json() {
        return MAPPER.writeValueAsString(this);
    }

    private record Pause(
            OptionalLong id,
            String kind,
            String cause,
            double ms,
            Optional<Space> heap,
            Optional<Space> young,
            Optional<Space> old,
            Optional<Space> metaspace,
            Optional<Cpu> cpu,
            Optional<GcEvent.Tenuring> tenuring,
            OptionalLong promotedBytes,
            OptionalLong humongousBytes,
            @JsonInclude(Include.NON_EMPTY) List<GcEvent.Phase> phases,
            @JsonInclude(Include.NON_EMPTY) List<String> troubles,
            @JsonInclude(Include.NON_DEFAULT) boolean nested) {
        private static Pause of(GcEvent.Pause p) {
            return new Pause(
                    p.id(),
                    p.kind().key(),
                    p.cause(),
                    p.ms(),
                    p.heap().map(Space::of),
                    p.young().map(Space::of),
                    p.old().map(Space::of),
                    p.metaspace().map(Space::of),
                    p.cpu().map(Cpu::of),
                    p.tenuring(),
                    p.promotedBytes(),
                    p.humongousBytes(),
                    p.phases(),
                    p.troubles().stream().sorted().map(Trouble::key).toList(),
                    p.nested());
        }
    }

    private record Cycle(
            OptionalLong id,
            String kind,
            String cause,
            OptionalDouble ms,
            Optional<Space> heap,
            OptionalLong allocatedBytes,
            OptionalLong liveBytes,
            OptionalLong promotedBytes) {
        private static Cycle of(GcEvent.Cycle c) {
            return new Cycle(
                    c.id(),
                    c.kind(),
                    c.cause(),
                    c.ms(),
                    c.heap().map(Space::of),
                    c.allocatedBytes(),
                    c.liveBytes(),
                    c.promotedBytes());
        }
    }

    private record ConcurrentPhase(String kind, double ms) {}

    private record SafepointStop(String kind, double ms, double reachingMs, double leavingMs) {}

    private record Stall(String thread, double ms) {}

    private record Space(long before, long after, OptionalLong capacity) {
        private static Space of(GcEvent.Occupancy o) {
            return new Space(o.beforeBytes(), o.afterBytes(), o.capacityBytes());
        }
    }

    private record Cpu(double userS, double sysS, double realS) {
        private static Cpu of(GcEvent.Cpu c) {
            return new Cpu(c.userS(), c.systemS(), c.realS());
        }
    }
}
