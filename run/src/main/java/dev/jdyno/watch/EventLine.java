package dev.jdyno.watch;

import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.watch.WatchEvent;
import dev.jdyno.measure.watch.WatchedMinute;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.BiFunction;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// A line of a day file with an event: the document that `watch --json` prints (docs/json.md). A
/// key that does not belong to its kind is `null`.
record EventLine(
        String schema,
        Instant at,
        String event,
        String service,
        Optional<Long> pid,
        Optional<Long> oldPid,
        Optional<Double> downS,
        Optional<String> bottleneck,
        Optional<String> before,
        Optional<String> where,
        Optional<Double> confidence,
        Optional<Double> below,
        Optional<DayLine.Room> headroom,
        Optional<Cpu> cpuPerRequest) {
    static final String SCHEMA = "jdyno/event/1";

    /// A change of the CPU time of one request, with the ratio as it is in the document.
    record Cpu(double beforeMs, double afterMs, double ratio, Instant since) {}

    static String text(WatchEvent event) {
        return DayLine.JSON.writeValueAsString(
                switch (event) {
                    case WatchEvent.Watching w -> process(w, w.pid());
                    case WatchEvent.Gone g -> process(g, g.pid());
                    case WatchEvent.Restarted r ->
                            process(r, r.pid(), Optional.of(r.oldPid()), Optional.of(r.downS()));
                    case WatchEvent.BottleneckChanged c -> changed(c);
                    case WatchEvent.HeadroomBelow h -> headroom(h, h.below(), h.headroom());
                    case WatchEvent.HeadroomBack h -> headroom(h, h.below(), h.headroom());
                    case WatchEvent.CpuPerRequestChanged c -> cpu(c);
                });
    }

    private static EventLine process(WatchEvent event, long pid) {
        return process(event, pid, Optional.empty(), Optional.empty());
    }

    private static EventLine process(
            WatchEvent event, long pid, Optional<Long> oldPid, Optional<Double> downS) {
        return of(
                event,
                Optional.of(pid),
                oldPid,
                downS,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static EventLine changed(WatchEvent.BottleneckChanged c) {
        return of(
                c,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(c.to()),
                c.from(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static EventLine headroom(WatchEvent event, double below, WatchedMinute.Room headroom) {
        return of(
                event,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(below),
                Optional.of(headroom),
                Optional.empty());
    }

    private static EventLine cpu(WatchEvent.CpuPerRequestChanged c) {
        return of(
                c,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(
                        new Cpu(
                                c.beforeMs(),
                                c.afterMs(),
                                c.ratio(),
                                c.since().truncatedTo(ChronoUnit.SECONDS))));
    }

    private static EventLine of(
            WatchEvent event,
            Optional<Long> pid,
            Optional<Long> oldPid,
            Optional<Double> downS,
            Optional<WatchedMinute.Named> to,
            Optional<Bottleneck> from,
            Optional<Double> below,
            Optional<WatchedMinute.Room> headroom,
            Optional<Cpu> cpu) {
        return new EventLine(
                SCHEMA,
                second(event),
                event.kind(),
                event.service(),
                pid,
                oldPid,
                downS,
                to.map(t -> t.bottleneck().key()),
                from.map(Bottleneck::key),
                to.map(WatchedMinute.Named::where),
                to.map(WatchedMinute.Named::confidence),
                below,
                headroom.map(DayLine.Room::of),
                cpu);
    }

    private static Instant second(WatchEvent event) {
        return event.at().truncatedTo(ChronoUnit.SECONDS);
    }

    /// The event of a line; empty if the line is damaged, or if another version wrote it.
    static Optional<WatchEvent> read(JsonNode line) {
        try {
            EventLine read = DayLine.JSON.treeToValue(line, EventLine.class);
            return read == null
                            || !SCHEMA.equals(read.schema())
                            || read.at() == null
                            || read.service() == null
                    ? Optional.empty()
                    : read.event(String.valueOf(read.event()));
        } catch (JacksonException | IllegalArgumentException damaged) {
            return Optional.empty();
        }
    }

    private Optional<WatchEvent> event(String kind) {
        return switch (kind) {
            case "watching" -> pid.map(p -> new WatchEvent.Watching(at, service, p));
            case "gone" -> pid.map(p -> new WatchEvent.Gone(at, service, p));
            case "restarted" -> restarted();
            case "bottleneck" -> changed();
            case "headroom" ->
                    room((wanted, r) -> new WatchEvent.HeadroomBelow(at, service, wanted, r));
            case "headroom-back" ->
                    room((wanted, r) -> new WatchEvent.HeadroomBack(at, service, wanted, r));
            case "cpu-per-request" -> cpuChanged();
            default -> Optional.empty();
        };
    }

    private Optional<WatchEvent> room(BiFunction<Double, WatchedMinute.Room, WatchEvent> event) {
        return headroom.flatMap(DayLine.Room::room)
                .filter(r -> DayLine.isAmount(r.ratio()))
                .filter(r -> DayLine.isAmount(r.limitPerS()))
                .flatMap(r -> below.filter(DayLine::isAmount).map(b -> event.apply(b, r)));
    }

    private Optional<WatchEvent> cpuChanged() {
        return cpuPerRequest
                .filter(c -> DayLine.isAmount(c.beforeMs()) && DayLine.isAmount(c.afterMs()))
                .filter(c -> c.beforeMs() > 0 && c.since() != null)
                .map(c ->
                        new WatchEvent.CpuPerRequestChanged(
                                at, service, c.since(), c.beforeMs(), c.afterMs()));
    }

    private Optional<WatchEvent> restarted() {
        return pid.isEmpty() || oldPid.isEmpty() || downS.filter(DayLine::isAmount).isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new WatchEvent.Restarted(
                                at, service, oldPid.get(), pid.get(), downS.get()));
    }

    private Optional<WatchEvent> changed() {
        Optional<Double> sure = confidence.filter(DayLine::isAmount);
        if (sure.isEmpty() || where.isEmpty() || (before.isPresent() && named(before).isEmpty())) {
            return Optional.empty();
        }
        return named(bottleneck)
                .map(to ->
                        new WatchEvent.BottleneckChanged(
                                at,
                                service,
                                named(before),
                                new WatchedMinute.Named(to, where.get(), sure.get())));
    }

    private static Optional<Bottleneck> named(Optional<String> key) {
        return key.flatMap(Bottleneck::of);
    }
}
