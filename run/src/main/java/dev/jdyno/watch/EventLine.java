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
/// @param read of the line, not checked yet
record EventLine(EventDocument read) {
    static String text(WatchEvent event) {
        return DayLine.JSON.writeValueAsString(EventDocument.of(event));
    }

    /// The event of a line; empty if the line is damaged, or if another version wrote it.
    static Optional<WatchEvent> read(JsonNode line) {
        try {
            EventDocument read = DayLine.JSON.treeToValue(line, EventDocument.class);
            return read == null
                            || !EventDocument.SCHEMA.equals(read.schema())
                            || read.at() == null
                            || read.service() == null
                    ? Optional.empty()
                    : new EventLine(read).event();
        } catch (JacksonException | IllegalArgumentException damaged) {
            return Optional.empty();
        }
    }

    private Optional<WatchEvent> event() {
        Instant at = read.at();
        String service = read.service();
        return switch (String.valueOf(read.event())) {
            case "watching" -> read.pid().map(p -> new WatchEvent.Watching(at, service, p));
            case "gone" -> read.pid().map(p -> new WatchEvent.Gone(at, service, p));
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
        return read.headroom()
                .flatMap(DayLine::room)
                .filter(r -> DayLine.isAmount(r.ratio()))
                .filter(r -> DayLine.isAmount(r.limitPerS()))
                .flatMap(r -> read.below().filter(DayLine::isAmount).map(b -> event.apply(b, r)));
    }

    private Optional<WatchEvent> cpuChanged() {
        return read.cpuPerRequest()
                .filter(c -> DayLine.isAmount(c.beforeMs()) && DayLine.isAmount(c.afterMs()))
                .filter(c -> c.beforeMs() > 0 && c.since() != null)
                .map(c ->
                        new WatchEvent.CpuPerRequestChanged(
                                read.at(), read.service(), c.since(), c.beforeMs(), c.afterMs()));
    }

    private Optional<WatchEvent> restarted() {
        Optional<Double> down = read.downS().filter(DayLine::isAmount);
        return read.pid().isEmpty() || read.oldPid().isEmpty() || down.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new WatchEvent.Restarted(
                                read.at(),
                                read.service(),
                                read.oldPid().get(),
                                read.pid().get(),
                                down.get()));
    }

    private Optional<WatchEvent> changed() {
        Optional<Double> sure = read.confidence().filter(DayLine::isAmount);
        Optional<String> where = read.where();
        Optional<Bottleneck> before = named(read.before());
        if (sure.isEmpty() || where.isEmpty() || before.isPresent() != read.before().isPresent()) {
            return Optional.empty();
        }
        return named(read.bottleneck())
                .map(to ->
                        new WatchEvent.BottleneckChanged(
                                read.at(),
                                read.service(),
                                before,
                                new WatchedMinute.Named(to, where.get(), sure.get())));
    }

    private static Optional<Bottleneck> named(Optional<String> key) {
        return key.flatMap(Bottleneck::of);
    }
}
