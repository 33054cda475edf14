package dev.jdyno.gclog.read;

import java.time.LocalDate;

/// Reads `2026-11-20T13:13:02.513+0000` in place (JDK 6–25, `-XX:+PrintGCDateStamps` and the `time`
/// and `utctime` decorators). The parsed day is kept, because it changes only once in many lines.
public final class WallClock {
    private static final int DATE = 10;
    private final byte[] day = new byte[DATE];
    private long dayMs;

    /// Result of `read`: milliseconds since 1970.
    public long epochMs;

    /// Index after the last byte of the stamp, set by `read`.
    public int stop;

    /// Reads a date and time at `from`; returns false if there is none.
    public boolean read(byte[] b, int from, int end) {
        if (from + 19 > end || b[from + 4] != '-' || b[from + 10] != 'T' || b[from + 13] != ':') {
            return false;
        }
        for (int i = 0; i < DATE; i++) {
            if (b[from + i] != day[i]) {
                if (!newDay(b, from)) {
                    return false;
                }
                break;
            }
        }
        long seconds = 3600L * two(b, from + 11) + 60L * two(b, from + 14) + two(b, from + 17);
        int p = from + 19;
        long ms = 0;
        if (p + 3 < end && (b[p] == '.' || b[p] == ',')) {
            ms = 100L * (b[p + 1] - '0') + two(b, p + 2);
            p += 4;
        }
        long zone = 0;
        if (p < end && b[p] == 'Z') {
            p++;
        } else if (p + 4 < end && (b[p] == '+' || b[p] == '-')) {
            int colon = b[p + 3] == ':' ? 1 : 0;
            if (p + 4 + colon < end) {
                zone = 3600L * two(b, p + 1) + 60L * two(b, p + 3 + colon);
                zone = b[p] == '-' ? -zone : zone;
                p += 5 + colon;
            }
        }
        epochMs = dayMs + (seconds - zone) * 1000 + ms;
        stop = p;
        return true;
    }

    private boolean newDay(byte[] b, int from) {
        for (int i = 0; i < DATE; i++) {
            boolean dash = i == 4 || i == 7;
            if (dash ? b[from + i] != '-' : !Scan.isDigit(b[from + i])) {
                return false;
            }
        }
        int month = two(b, from + 5);
        int dayOfMonth = two(b, from + 8);
        if (month < 1 || month > 12 || dayOfMonth < 1 || (dayOfMonth > 28 && !exists(b, from))) {
            return false;
        }
        System.arraycopy(b, from, day, 0, DATE);
        dayMs = LocalDate.of(year(b, from), month, dayOfMonth).toEpochDay() * 86_400_000L;
        return true;
    }

    private static boolean exists(byte[] b, int from) {
        int longest = java.time.YearMonth.of(year(b, from), two(b, from + 5)).lengthOfMonth();
        return two(b, from + 8) <= longest;
    }

    private static int year(byte[] b, int from) {
        return 100 * two(b, from) + two(b, from + 2);
    }

    private static int two(byte[] b, int at) {
        return 10 * (b[at] - '0') + (b[at + 1] - '0');
    }
}
