package dev.jdyno.watch;

import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.watch.WatchEvent;
import dev.jdyno.measure.watch.WatchedMinute;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
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
        Optional<DayLine.Room> headroom) {
    static final String SCHEMA = "jdyno/event/1";

    static String text(WatchEvent event) {
        return DayLine.JSON.writeValueAsString(
                switch (event) {
                    case WatchEvent.Watching w -> process(w, w.pid());
                    case WatchEvent.Gone g -> process(g, g.pid());
                    case WatchEvent.Restarted r ->
                            process(r, r.pid(), Optional.of(r.oldPid()), Optional.of(r.downS()));
                    case WatchEvent.BottleneckChanged c -> changed(c);
                    case WatchEvent.HeadroomBelow h -> below(h);
                });
    }

    private static EventLine process(WatchEvent event, long pid) {
        return process(event, pid, Optional.empty(), Optional.empty());
    }

    private static EventLine process(
            WatchEvent event, long pid, Optional<Long> oldPid, Optional<Double> downS) {
        return new EventLine(
                SCHEMA,
                second(event),
                event.kind(),
                event.service(),
                Optional.of(pid),
                oldPid,
                downS,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static EventLine changed(WatchEvent.BottleneckChanged c) {
        return new EventLine(
                SCHEMA,
                second(c),
                c.kind(),
                c.service(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(c.to().bottleneck().key()),
                c.from().map(Bottleneck::key),
                Optional.of(c.to().where()),
                Optional.of(c.to().confidence()),
                Optional.empty(),
                Optional.empty());
    }

    private static EventLine below(WatchEvent.HeadroomBelow h) {
        return new EventLine(
                SCHEMA,
                second(h),
                h.kind(),
                h.service(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(h.below()),
                Optional.of(DayLine.Room.of(h.headroom())));
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
                    headroom.flatMap(DayLine.Room::room)
                            .filter(r -> DayLine.isAmount(r.ratio()))
                            .filter(r -> DayLine.isAmount(r.limitPerS()))
                            .flatMap(room ->
                                    below.filter(DayLine::isAmount)
                                            .map(b ->
                                                    new WatchEvent.HeadroomBelow(
                                                            at, service, b, room)));
            default -> Optional.empty();
        };
    }

    private Optional<WatchEvent> restarted() {
        return pid.isEmpty() || oldPid.isEmpty() || downS.filter(DayLine::isAmount).isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new WatchEvent.Restarted(
                                at, service, oldPid.get(), pid.get(), downS.get()));
    }

    private Optional<WatchEvent> changed() {
        double sure = confidence.filter(DayLine::isAmount).orElse(-1.0);
        if (sure < 0 || where.isEmpty() || (before.isPresent() && named(before).isEmpty())) {
            return Optional.empty();
        }
        return named(bottleneck)
                .map(to ->
                        new WatchEvent.BottleneckChanged(
                                at,
                                service,
                                named(before),
                                new WatchedMinute.Named(to, where.get(), sure)));
    }

    private static Optional<Bottleneck> named(Optional<String> key) {
        return key.flatMap(Bottleneck::of);
    }
}
