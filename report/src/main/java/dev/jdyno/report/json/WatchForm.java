package dev.jdyno.report.json;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.watch.WatchEvent;
import dev.jdyno.measure.watch.WatchedMinute;
import dev.jdyno.measure.watch.WatchedRange;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/// The documents of a watch: `jdyno/event/1`, a line each, and `jdyno/watched/1`, the summary of a
/// range. Components are the documented keys, in their order (docs/json.md).
public final class WatchForm {
    private static final String EVENT = "jdyno/event/1";

    private WatchForm() {}

    /// An event. A key that does not belong to its kind is `null`.
    ///
    /// @param event kind of the event
    /// @param pid the JVM that is watched from now on, or that has ended
    public record Event(
            String schema,
            String at,
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
            Optional<CpuPerRequest> cpuPerRequest) {}

    /// A change of the CPU time of one request.
    ///
    /// @param ratio after ÷ before
    /// @param since begin of the new level
    public record CpuPerRequest(double beforeMs, double afterMs, double ratio, String since) {}

    /// The first limit, as in `headroom.first` of `diagnose --json`.
    public record Room(String kind, String name, double ratio, double limitPerS, Interval ci95) {}

    /// @param damaged number of lines of the day files that cannot be read
    public record Watched(String schema, String from, String to, long damaged, List<Of> services) {}

    /// The summary of one service.
    public record Of(
            String service,
            int minutes,
            double seconds,
            List<Verdict> verdicts,
            WatchedRange.Means means,
            List<WatchedRange.PoolUse> pools,
            Optional<Room> lowestHeadroom,
            Optional<WatchedHeadroomForm> headroom,
            double stoppedS,
            int jvms) {}

    /// The minutes with one verdict.
    public record Verdict(
            String bottleneck, String where, int minutes, double seconds, double confidence) {}

    public static Event of(WatchEvent event) {
        return switch (event) {
            case WatchEvent.Watching w -> process(event, w.pid());
            case WatchEvent.Gone g -> process(event, g.pid());
            case WatchEvent.Restarted r ->
                    process(event, Optional.of(r.pid()), Optional.of(r.oldPid()), r.downS());
            case WatchEvent.BottleneckChanged c -> changed(c);
            case WatchEvent.HeadroomBelow h -> headroom(event, h.below(), h.headroom());
            case WatchEvent.HeadroomBack h -> headroom(event, h.below(), h.headroom());
            case WatchEvent.CpuPerRequestChanged c -> cpuPerRequest(c);
        };
    }

    private static Event process(WatchEvent event, long pid) {
        return process(event, Optional.of(pid), Optional.empty(), 0);
    }

    private static Event process(
            WatchEvent event, Optional<Long> pid, Optional<Long> oldPid, double downS) {
        return new Event(
                EVENT,
                at(event),
                event.kind(),
                event.service(),
                pid,
                oldPid,
                oldPid.map(_ -> downS),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static Event changed(WatchEvent.BottleneckChanged c) {
        return new Event(
                EVENT,
                at(c),
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
                Optional.empty(),
                Optional.empty());
    }

    private static Event headroom(WatchEvent event, double below, WatchedMinute.Room headroom) {
        return new Event(
                EVENT,
                at(event),
                event.kind(),
                event.service(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(below),
                Optional.of(room(headroom)),
                Optional.empty());
    }

    private static Event cpuPerRequest(WatchEvent.CpuPerRequestChanged c) {
        return new Event(
                EVENT,
                at(c),
                c.kind(),
                c.service(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(
                        new CpuPerRequest(
                                c.beforeMs(), c.afterMs(), c.ratio(), seconds(c.since()))));
    }

    private static String at(WatchEvent event) {
        return seconds(event.at());
    }

    /// A time in UTC, in whole seconds.
    static String seconds(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static Room room(WatchedMinute.Room room) {
        return new Room(
                room.kind().key(), room.name(), room.ratio(), room.limitPerS(), room.ci95());
    }

    /// @param ranges of one range of time, at least one
    public static Watched of(List<WatchedRange> ranges, long damaged) {
        WatchedRange first = ranges.getFirst();
        return new Watched(
                "jdyno/watched/1",
                first.from().toString(),
                first.to().toString(),
                damaged,
                ranges.stream().map(WatchForm::of).toList());
    }

    private static Of of(WatchedRange range) {
        return new Of(
                range.service(),
                range.minutes(),
                range.seconds(),
                range.verdicts().stream()
                        .map(v ->
                                new Verdict(
                                        v.bottleneck().key(),
                                        v.where(),
                                        v.minutes(),
                                        v.seconds(),
                                        v.confidence()))
                        .toList(),
                range.means(),
                range.pools(),
                range.lowestHeadroom().map(WatchForm::room),
                range.headroom().map(WatchedHeadroomForm::of),
                range.stoppedS(),
                range.jvms());
    }
}
