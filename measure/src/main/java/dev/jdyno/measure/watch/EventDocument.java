package dev.jdyno.measure.watch;

import dev.jdyno.measure.verdict.Bottleneck;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/// The document of an event, `jdyno/event/1`: `watch --json` prints it, a webhook gets it, and a
/// line of a day file holds it. Components are the documented keys, in their order (docs/json.md).
/// A key that does not belong to the kind of the event is empty.
///
/// @param at in whole seconds
/// @param event kind of the event
/// @param pid the JVM that is watched from now on, or that has ended
public record EventDocument(
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
        Optional<Room> headroom,
        Optional<CpuPerRequest> cpuPerRequest) {
    public static final String SCHEMA = "jdyno/event/1";

    /// The first limit, as in `headroom.first` of `diagnose --json`.
    ///
    /// @param ci95 low and high end of the 95 % interval of `limitPerS`
    public record Room(
            String kind, String name, double ratio, double limitPerS, List<Double> ci95) {
        public static Room of(WatchedMinute.Room room) {
            return new Room(
                    room.kind().key(),
                    room.name(),
                    room.ratio(),
                    room.limitPerS(),
                    List.of(room.ci95().lo(), room.ci95().hi()));
        }
    }

    /// A change of the CPU time of one request.
    ///
    /// @param ratio after ÷ before
    /// @param since begin of the new level, in whole seconds
    public record CpuPerRequest(double beforeMs, double afterMs, double ratio, Instant since) {
        static CpuPerRequest of(WatchEvent.CpuPerRequestChanged c) {
            return new CpuPerRequest(c.beforeMs(), c.afterMs(), c.ratio(), second(c.since()));
        }
    }

    public static EventDocument of(WatchEvent event) {
        EventDocument bare = bare(event);
        return switch (event) {
            case WatchEvent.Watching w -> bare.ofJvm(w.pid());
            case WatchEvent.Gone g -> bare.ofJvm(g.pid());
            case WatchEvent.Restarted r -> bare.ofJvm(r.pid()).after(r.oldPid(), r.downS());
            case WatchEvent.BottleneckChanged c -> bare.changed(c.from(), c.to());
            case WatchEvent.HeadroomBelow h -> bare.headroom(h.below(), h.headroom());
            case WatchEvent.HeadroomBack h -> bare.headroom(h.below(), h.headroom());
            case WatchEvent.CpuPerRequestChanged c -> bare.cpu(CpuPerRequest.of(c));
        };
    }

    /// The keys that every event has.
    private static EventDocument bare(WatchEvent event) {
        return new EventDocument(
                SCHEMA,
                second(event.at()),
                event.kind(),
                event.service(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private EventDocument ofJvm(long jvm) {
        return new EventDocument(
                schema,
                at,
                event,
                service,
                Optional.of(jvm),
                oldPid,
                downS,
                bottleneck,
                before,
                where,
                confidence,
                below,
                headroom,
                cpuPerRequest);
    }

    private EventDocument after(long old, double seconds) {
        return new EventDocument(
                schema,
                at,
                event,
                service,
                pid,
                Optional.of(old),
                Optional.of(seconds),
                bottleneck,
                before,
                where,
                confidence,
                below,
                headroom,
                cpuPerRequest);
    }

    private EventDocument changed(Optional<Bottleneck> from, WatchedMinute.Named to) {
        return new EventDocument(
                schema,
                at,
                event,
                service,
                pid,
                oldPid,
                downS,
                Optional.of(to.bottleneck().key()),
                from.map(Bottleneck::key),
                Optional.of(to.where()),
                Optional.of(to.confidence()),
                below,
                headroom,
                cpuPerRequest);
    }

    private EventDocument headroom(double wanted, WatchedMinute.Room room) {
        return new EventDocument(
                schema,
                at,
                event,
                service,
                pid,
                oldPid,
                downS,
                bottleneck,
                before,
                where,
                confidence,
                Optional.of(wanted),
                Optional.of(Room.of(room)),
                cpuPerRequest);
    }

    private EventDocument cpu(CpuPerRequest change) {
        return new EventDocument(
                schema,
                at,
                event,
                service,
                pid,
                oldPid,
                downS,
                bottleneck,
                before,
                where,
                confidence,
                below,
                headroom,
                Optional.of(change));
    }

    private static Instant second(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS);
    }
}
