package dev.jdyno.report.html;

import dev.jdyno.measure.watch.WatchedRange;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;

/// Times of a day in UTC, and the addresses of its parts.
///
/// @param service name of the watched service
record DayTimes(String service, LocalDate day) {
    private static final double SECONDS_OF_HOUR = 3600;

    Instant begin() {
        return day.atStartOfDay().toInstant(ZoneOffset.UTC);
    }

    Instant end() {
        return begin().plus(Duration.ofDays(1));
    }

    /// Hours since the begin of the day.
    double hours(Instant at) {
        return Duration.between(begin(), at).toMillis() / 1000.0 / SECONDS_OF_HOUR;
    }

    /// A time of the day, such as `14:05`. The end of the day is `24:00`.
    String clock(Instant at) {
        Duration since = Duration.between(begin(), at);
        return String.format(Locale.ROOT, "%02d:%02d", since.toHours(), since.toMinutesPart());
    }

    /// A time of the day with seconds, such as `14:05:09`.
    String exact(Instant at) {
        return clock(at)
                + String.format(
                        Locale.ROOT, ":%02d", Duration.between(begin(), at).toSecondsPart());
    }

    String clock(WatchedRange range) {
        return clock(range.from()) + "–" + clock(range.to());
    }

    /// The page of a range, relative to the page of the day.
    String range(Instant from, Instant to) {
        return "range?service=" + HistoryPage.encoded(service) + "&from=" + from + "&to=" + to;
    }

    /// The page of a day, relative to the pages below `watch/`.
    String page(LocalDate other) {
        return "day?service=" + HistoryPage.encoded(service) + "&day=" + other;
    }
}
