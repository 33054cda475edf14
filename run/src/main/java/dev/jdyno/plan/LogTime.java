package dev.jdyno.plan;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// The time of a request in a line of an access log.
///
/// @param second since the epoch
/// @param nanos within it; 0 if the log has whole seconds
record LogTime(long second, int nanos) implements Comparable<LogTime> {
    static final long SECOND_NANOS = 1_000_000_000L;

    private static final Comparator<LogTime> ORDER =
            Comparator.comparingLong(LogTime::second).thenComparingInt(LogTime::nanos);

    @Override
    public int compareTo(LogTime other) {
        return ORDER.compare(this, other);
    }

    /// Reads the forms that servers write. Neighbouring lines usually have the same time, so the
    /// last one is cached.
    static final class Reader {
        // 10/Oct/2025:13:55:36 +0000 (common), 10/Oct/2025:13:55:36.123 +0200 (Tomcat with SSS)
        private static final DateTimeFormatter COMMON =
                new DateTimeFormatterBuilder()
                        .appendPattern("dd/MMM/yyyy:HH:mm:ss")
                        .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
                        .appendPattern("[ ]")
                        .appendOffset("+HHMM", "+0000")
                        .toFormatter(Locale.ENGLISH);

        // 1760104536.123 (nginx $msec)
        private static final Pattern EPOCH = Pattern.compile("\\d{9,10}(?:\\.\\d{1,9})?");

        private String last = "";
        private Optional<LogTime> lastTime = Optional.empty();

        /// Empty if the text is not a time.
        Optional<LogTime> read(String text) {
            if (!text.equals(last)) {
                last = text;
                lastTime = parse(text.trim());
            }
            return lastTime;
        }

        private static Optional<LogTime> parse(String text) {
            try {
                if (EPOCH.matcher(text).matches()) {
                    var seconds = new BigDecimal(text);
                    long whole = seconds.longValue();
                    return Optional.of(
                            new LogTime(
                                    whole,
                                    seconds.subtract(BigDecimal.valueOf(whole))
                                            .movePointRight(9)
                                            .intValue()));
                }
                // 2025-10-10T13:55:36+00:00 (nginx $time_iso8601)
                boolean iso = text.length() > 10 && text.charAt(10) == 'T';
                Instant at =
                        (iso ? OffsetDateTime.parse(text) : OffsetDateTime.parse(text, COMMON))
                                .toInstant();
                return Optional.of(new LogTime(at.getEpochSecond(), at.getNano()));
            } catch (DateTimeException notATime) {
                return Optional.empty();
            }
        }
    }
}
