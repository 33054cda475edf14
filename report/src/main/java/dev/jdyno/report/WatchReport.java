package dev.jdyno.report;

import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.watch.EventDocument;
import dev.jdyno.measure.watch.SkippedLines;
import dev.jdyno.measure.watch.WatchAlert;
import dev.jdyno.measure.watch.WatchEvent;
import dev.jdyno.measure.watch.WatchedDay;
import dev.jdyno.measure.watch.WatchedMinute;
import dev.jdyno.measure.watch.WatchedRange;
import dev.jdyno.measure.watch.WatchedServices;
import dev.jdyno.report.json.AlertForm;
import dev.jdyno.report.json.JsonDocument;
import dev.jdyno.report.json.WatchForm;
import dev.jdyno.report.words.WatchText;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Events and minutes of a watch, and the summaries of ranges and days, as text and as JSON.
public final class WatchReport {
    private WatchReport() {}

    /// An event in one line, without a line end.
    public static String line(WatchEvent event, ZoneId zone) {
        return Printable.line(WatchText.event(event, zone));
    }

    /// An event as JSON in one line, without a line end.
    public static String json(WatchEvent event) {
        return JsonDocument.line(EventDocument.of(event));
    }

    /// Alerts as Alertmanager takes them: a JSON array in one line, without a line end.
    ///
    /// @param host name of the host that jdyno runs on
    public static String alerts(List<WatchAlert> alerts, Optional<String> host) {
        return JsonDocument.line(alerts.stream().map(a -> AlertForm.of(a, host)).toList());
    }

    /// A minute in one line, without a line end.
    public static String line(WatchedMinute minute, ZoneId zone) {
        return Printable.line(WatchText.minute(minute, zone));
    }

    /// @param skipped lines of the day files
    public static String text(List<WatchedRange> ranges, SkippedLines skipped, ZoneId zone) {
        String services =
                ranges.stream()
                        .map(r -> Printable.text(WatchText.range(r, zone)))
                        .collect(Collectors.joining("\n"));
        return services
                + count("Lines of the day files that cannot be read", skipped.damaged())
                + count("Lines that are left out, of files longer than a day", skipped.leftOut());
    }

    private static String count(String what, long lines) {
        return lines == 0 ? "" : what + ": " + lines + "\n";
    }

    /// @param ranges of one range of time, at least one
    public static String json(List<WatchedRange> ranges, SkippedLines skipped) {
        return JsonDocument.text(WatchForm.of(ranges, skipped)) + "\n";
    }

    /// The services that have day files.
    public static String json(WatchedServices watched) {
        return JsonDocument.text(WatchForm.of(watched)) + "\n";
    }

    /// A day by its cells, with its events.
    public static String json(WatchedDay day) {
        return JsonDocument.text(WatchForm.of(day)) + "\n";
    }
}
