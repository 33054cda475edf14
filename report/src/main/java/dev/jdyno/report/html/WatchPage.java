package dev.jdyno.report.html;

import dev.jdyno.measure.watch.WatchedServices;
import java.time.LocalDate;

/// The watched services with their days.
///
/// @param version of jdyno
public record WatchPage(WatchedServices watched, String version) implements HtmlPage {
    /// The page of a day, relative to this page.
    public static String link(String service, LocalDate day) {
        return "watch/" + new DayTimes(service, day).page(day);
    }
}
