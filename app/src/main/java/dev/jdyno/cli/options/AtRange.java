package dev.jdyno.cli.options;

import dev.jdyno.measure.text.Problems;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Optional;
import java.util.regex.Pattern;

/// A range of time in the user's zone, as `--at` takes it.
///
/// @param from begin
/// @param to end, not included; after `from`
public record AtRange(Instant from, Instant to) {
    /// Maximum length. A month has some 45,000 minutes.
    private static final Duration MAX = Duration.ofDays(31);

    private static final String BETWEEN = "..";
    private static final Pattern TIME = Pattern.compile("\\d{2}:\\d{2}");
    private static final String EXAMPLE =
            "write --at 14:05..14:20, or --at 2026-11-29T23:50..2026-11-30T00:10";

    /// Reads `14:05..14:20` or `2026-11-29T14:05..14:20`. A range without a day is the last one
    /// that has begun. An end without a day is the first such time after the begin.
    ///
    /// @return empty after a mistake, which goes into `problems`
    public static Optional<AtRange> of(String text, Instant now, ZoneId zone, Problems problems) {
        int between = text.indexOf(BETWEEN);
        try {
            if (between < 0) {
                throw new DateTimeException("no range");
            }
            LocalDateTime from = begin(text.substring(0, between), now, zone);
            LocalDateTime to = end(text.substring(between + BETWEEN.length()), from);
            var range = new AtRange(from.atZone(zone).toInstant(), to.atZone(zone).toInstant());
            if (!range.from.isBefore(range.to)) {
                problems.add("--at " + text, "ends before it begins", EXAMPLE);
                return Optional.empty();
            }
            if (Duration.between(range.from, range.to).compareTo(MAX) > 0) {
                problems.add("--at " + text, "is longer than 31 days", "ask for a shorter range");
                return Optional.empty();
            }
            return Optional.of(range);
        } catch (DateTimeException noTime) {
            problems.add("--at " + text, "is no range of time", EXAMPLE);
            return Optional.empty();
        }
    }

    private static LocalDateTime begin(String text, Instant now, ZoneId zone) {
        if (!TIME.matcher(text).matches()) {
            return LocalDateTime.parse(text);
        }
        LocalDateTime local = LocalDateTime.ofInstant(now, zone);
        LocalDateTime today = local.toLocalDate().atTime(LocalTime.parse(text));
        return today.isAfter(local) ? today.minusDays(1) : today;
    }

    private static LocalDateTime end(String text, LocalDateTime from) {
        if (!TIME.matcher(text).matches()) {
            return LocalDateTime.parse(text);
        }
        LocalDateTime same = from.toLocalDate().atTime(LocalTime.parse(text));
        return same.isAfter(from) ? same : same.plusDays(1);
    }
}
