package dev.jdyno.report.json;

import dev.jdyno.measure.watch.EventDocument;
import dev.jdyno.measure.watch.SkippedLines;
import dev.jdyno.measure.watch.WatchedDay;
import dev.jdyno.measure.watch.WatchedMinute;
import dev.jdyno.measure.watch.WatchedRange;
import dev.jdyno.measure.watch.WatchedServices;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/// The documents of a watch: `jdyno/watched/1`, the summary of a range, and of the pages of a
/// server the services (`jdyno/watched-services/1`) and a day (`jdyno/watched-day/1`). Components
/// are the documented keys, in their order (docs/json.md). That of an event is {@link
/// EventDocument}.
public final class WatchForm {
    private WatchForm() {}

    /// @param damaged number of lines of the day files that cannot be read
    /// @param leftOut number of lines above those that are read of a file
    public record Watched(
            String schema, String from, String to, long damaged, long leftOut, List<Of> services) {}

    /// The summary of one service.
    public record Of(
            String service,
            int minutes,
            double seconds,
            List<Verdict> verdicts,
            WatchedRange.Means means,
            List<WatchedRange.PoolUse> pools,
            Optional<EventDocument.Room> lowestHeadroom,
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
            List<EventDocument> events) {}

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
                day.events().stream().map(EventDocument::of).toList());
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

    /// A time in UTC, in whole seconds.
    static String seconds(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /// @param ranges of one range of time, at least one
    public static Watched of(List<WatchedRange> ranges, SkippedLines skipped) {
        WatchedRange first = ranges.getFirst();
        return new Watched(
                "jdyno/watched/1",
                first.from().toString(),
                first.to().toString(),
                skipped.damaged(),
                skipped.leftOut(),
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
                range.lowestHeadroom().map(EventDocument.Room::of),
                range.headroom().map(WatchedHeadroomForm::of),
                range.stoppedS(),
                range.jvms());
    }

    private static Verdict verdict(WatchedRange.Share v) {
        return new Verdict(
                v.bottleneck().key(), v.where(), v.minutes(), v.seconds(), v.confidence());
    }
}
