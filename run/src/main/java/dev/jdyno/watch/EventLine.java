package dev.jdyno.watch;

import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.watch.EventDocument;
import dev.jdyno.measure.watch.WatchEvent;
import dev.jdyno.measure.watch.WatchedMinute;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BiFunction;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// A line of a day file with an event: the document that `watch --json` prints.
///
/// @param document as the line has it, not checked yet
record EventLine(EventDocument document) {
    static String text(WatchEvent event) {
        return DayLine.JSON.writeValueAsString(EventDocument.of(event));
    }

    /// The event of a line; empty if the line is damaged, or if another version wrote it.
    static Optional<WatchEvent> read(JsonNode line) {
        try {
            EventDocument document = DayLine.JSON.treeToValue(line, EventDocument.class);
            return document == null
                            || !EventDocument.SCHEMA.equals(document.schema())
                            || document.at() == null
                            || !DayLine.isTime(document.at())
                            || document.service() == null
                    ? Optional.empty()
                    : new EventLine(document).event();
        } catch (JacksonException | IllegalArgumentException damaged) {
            return Optional.empty();
        }
    }

    private Optional<WatchEvent> event() {
        Instant at = document.at();
        String service = document.service();
        return switch (String.valueOf(document.event())) {
            case "watching" -> document.pid().map(p -> new WatchEvent.Watching(at, service, p));
            case "gone" -> document.pid().map(p -> new WatchEvent.Gone(at, service, p));
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
        return document.headroom()
                .flatMap(DayLine::room)
                .filter(r -> DayLine.isAmount(r.ratio()))
                .filter(r -> DayLine.isAmount(r.limitPerS()))
                .flatMap(r ->
                        document.below().filter(DayLine::isAmount).map(b -> event.apply(b, r)));
    }

    private Optional<WatchEvent> cpuChanged() {
        return document.cpuPerRequest()
                .filter(c -> DayLine.isAmount(c.beforeMs()) && DayLine.isAmount(c.afterMs()))
                .filter(c -> c.beforeMs() > 0)
                .filter(c -> c.since() != null && DayLine.isTime(c.since()))
                .map(c ->
                        new WatchEvent.CpuPerRequestChanged(
                                document.at(),
                                document.service(),
                                c.since(),
                                c.beforeMs(),
                                c.afterMs()));
    }

    private Optional<WatchEvent> restarted() {
        Optional<Double> down = document.downS().filter(DayLine::isAmount);
        return document.pid().isEmpty() || document.oldPid().isEmpty() || down.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new WatchEvent.Restarted(
                                document.at(),
                                document.service(),
                                document.oldPid().get(),
                                document.pid().get(),
                                down.get()));
    }

    private Optional<WatchEvent> changed() {
        Optional<Double> sure = document.confidence().filter(DayLine::isAmount);
        Optional<String> where = document.where();
        Optional<Bottleneck> before = named(document.before());
        if (sure.isEmpty()
                || where.isEmpty()
                || before.isPresent() != document.before().isPresent()) {
            return Optional.empty();
        }
        return named(document.bottleneck())
                .map(to ->
                        new WatchEvent.BottleneckChanged(
                                document.at(),
                                document.service(),
                                before,
                                new WatchedMinute.Named(to, where.get(), sure.get())));
    }

    private static Optional<Bottleneck> named(Optional<String> key) {
        return key.flatMap(Bottleneck::of);
    }
}
