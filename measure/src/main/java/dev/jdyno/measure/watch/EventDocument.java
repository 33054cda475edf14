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
        var keys = new Keys();
        switch (event) {
            case WatchEvent.Watching w -> keys.pid = Optional.of(w.pid());
            case WatchEvent.Gone g -> keys.pid = Optional.of(g.pid());
            case WatchEvent.Restarted r -> keys.of(r);
            case WatchEvent.BottleneckChanged c -> keys.of(c);
            case WatchEvent.HeadroomBelow h -> keys.ofHeadroom(h.below(), h.headroom());
            case WatchEvent.HeadroomBack h -> keys.ofHeadroom(h.below(), h.headroom());
            case WatchEvent.CpuPerRequestChanged c ->
                    keys.cpuPerRequest = Optional.of(CpuPerRequest.of(c));
        }
        return keys.document(event);
    }

    /// The keys that only some kinds of events have, empty at first.
    private static final class Keys {
        private Optional<Long> pid = Optional.empty();
        private Optional<Long> oldPid = Optional.empty();
        private Optional<Double> downS = Optional.empty();
        private Optional<String> bottleneck = Optional.empty();
        private Optional<String> before = Optional.empty();
        private Optional<String> where = Optional.empty();
        private Optional<Double> confidence = Optional.empty();
        private Optional<Double> below = Optional.empty();
        private Optional<Room> headroom = Optional.empty();
        private Optional<CpuPerRequest> cpuPerRequest = Optional.empty();

        void of(WatchEvent.Restarted r) {
            pid = Optional.of(r.pid());
            oldPid = Optional.of(r.oldPid());
            downS = Optional.of(r.downS());
        }

        void of(WatchEvent.BottleneckChanged c) {
            bottleneck = Optional.of(c.to().bottleneck().key());
            before = c.from().map(Bottleneck::key);
            where = Optional.of(c.to().where());
            confidence = Optional.of(c.to().confidence());
        }

        void ofHeadroom(double wanted, WatchedMinute.Room room) {
            below = Optional.of(wanted);
            headroom = Optional.of(Room.of(room));
        }

        EventDocument document(WatchEvent event) {
            return new EventDocument(
                    SCHEMA,
                    second(event.at()),
                    event.kind(),
                    event.service(),
                    pid,
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
    }

    private static Instant second(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS);
    }
}
