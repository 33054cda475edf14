package dev.jdyno.recorded;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Requests per second by an access log in the common or combined format.
///
/// ```
/// 127.0.0.1 - - [29/Nov/2026:17:34:37 +0000] "GET /price HTTP/1.1" 200 12
/// ```
final class AccessTimes {
    private static final Pattern LINE =
            Pattern.compile(
                    "\\[(\\d\\d/[A-Z][a-z]{2}/\\d{4}:\\d\\d:\\d\\d:\\d\\d [+-]\\d{4})\\] \"[A-Z]{3,10} ");

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("dd/MMM/uuuu:HH:mm:ss Z", Locale.ENGLISH);

    /// Maximum number of distinct seconds: a month.
    private static final int MAX_SECONDS = 31 * 86_400;

    private final TreeMap<Long, Long> bySecond = new TreeMap<>();
    private String lastStamp = "";
    private long lastSecond;
    private long lines;
    private boolean cut;

    void line(String line) {
        Matcher found = LINE.matcher(line);
        if (!found.find()) {
            return;
        }
        String stamp = found.group(1);
        if (!stamp.equals(lastStamp)) {
            try {
                lastSecond = OffsetDateTime.parse(stamp, TIME).toEpochSecond();
                lastStamp = stamp;
            } catch (DateTimeException none) {
                return;
            }
        }
        if (bySecond.size() >= MAX_SECONDS && !bySecond.containsKey(lastSecond)) {
            cut = true;
            return;
        }
        lines++;
        bySecond.merge(lastSecond, 1L, Long::sum);
    }

    /// Number of requests.
    long lines() {
        return lines;
    }

    /// True if the log covers more time than was read.
    boolean isCut() {
        return cut;
    }

    Optional<TimeSpan> span() {
        return bySecond.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new TimeSpan(
                                Instant.ofEpochSecond(bySecond.firstKey()),
                                Instant.ofEpochSecond(bySecond.lastKey() + 1)));
    }

    /// Requests in the whole seconds of a period.
    double in(TimeSpan time) {
        Map<Long, Long> then =
                bySecond.subMap(
                        time.from().getEpochSecond(), true, time.to().getEpochSecond(), false);
        return then.values().stream().mapToLong(Long::longValue).sum();
    }
}
