package dev.jdyno.report.json;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.watch.WatchEvent;
import dev.jdyno.measure.watch.WatchedDay;
import dev.jdyno.measure.watch.WatchedMinute;
import dev.jdyno.measure.watch.WatchedRange;
import dev.jdyno.measure.watch.WatchedServices;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/// The documents of a watch: `jdyno/event/1`, a line each, `jdyno/watched/1`, the summary of a
/// range, and of the pages of a server the services (`jdyno/watched-services/1`) and a day
/// (`jdyno/watched-day/1`). Components are the documented keys, in their order (docs/json.md).
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

    /// @param trouble why the folder cannot be read
    public record Services(
            String schema, String folder, Optional<String> trouble, List<Service> services) {}

    /// @param days days (UTC) that have a file, the newest first
    public record Service(String service, List<String> days) {}

    /// @param cells of 5 minutes each, without those that have no minute
    /// @param damaged number of lines of the day file that cannot be read
    /// @param leftOut number of lines above those that are kept
    public record Day(
            String schema,
            String service,
            String day,
            int minutes,
            long damaged,
            long leftOut,
            List<Cell> cells,
            List<Event> events) {}

    /// The longest verdict of a cell, with means.
    ///
    /// @param headroom the lowest one
    public record Cell(
            String from,
            String to,
            int minutes,
            Verdict verdict,
            Optional<Double> perS,
            Optional<Double> cpuMs,
            Optional<Double> headroom) {}

    public static Services of(WatchedServices watched) {
        return new Services(
                "jdyno/watched-services/1",
                watched.folder(),
                watched.trouble(),
                watched.services().stream()
                        .map(s ->
                                new Service(
                                        s.name(),
                                        s.days().stream().map(LocalDate::toString).toList()))
                        .toList());
    }

    public static Day of(WatchedDay day) {
        return new Day(
                "jdyno/watched-day/1",
                day.service(),
                day.day().toString(),
                day.minutes().size(),
                day.damaged(),
                day.leftOut(),
                day.cells().stream().map(WatchForm::cell).toList(),
                day.events().stream().map(WatchForm::of).toList());
    }

    private static Cell cell(WatchedRange cell) {
        return new Cell(
                cell.from().toString(),
                cell.to().toString(),
                cell.minutes(),
                verdict(cell.verdicts().getFirst()),
                cell.means().perS(),
                cell.means().cpuMs(),
                cell.lowestHeadroom().map(WatchedMinute.Room::ratio));
    }

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
        return of(
                event,
                pid,
                oldPid,
                oldPid.map(_ -> downS),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static Event changed(WatchEvent.BottleneckChanged c) {
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

    private static Event headroom(WatchEvent event, double below, WatchedMinute.Room headroom) {
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

    private static Event cpuPerRequest(WatchEvent.CpuPerRequestChanged c) {
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
                        new CpuPerRequest(
                                c.beforeMs(), c.afterMs(), c.ratio(), seconds(c.since()))));
    }

    private static Event of(
            WatchEvent event,
            Optional<Long> pid,
            Optional<Long> oldPid,
            Optional<Double> downS,
            Optional<WatchedMinute.Named> to,
            Optional<Bottleneck> from,
            Optional<Double> below,
            Optional<WatchedMinute.Room> headroom,
            Optional<CpuPerRequest> cpuPerRequest) {
        return new Event(
                EVENT,
                at(event),
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
                headroom.map(WatchForm::room),
                cpuPerRequest);
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
                range.verdicts().stream().map(WatchForm::verdict).toList(),
                range.means(),
                range.pools(),
                range.lowestHeadroom().map(WatchForm::room),
                range.headroom().map(WatchedHeadroomForm::of),
                range.stoppedS(),
                range.jvms());
    }

    private static Verdict verdict(WatchedRange.Share v) {
        return new Verdict(
                v.bottleneck().key(), v.where(), v.minutes(), v.seconds(), v.confidence());
    }
}
