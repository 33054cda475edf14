package dev.jdyno.measure.text;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Durations as users write them: `250us`, `10ms`, `1.5s`, `2m`, `1h`.
public final class Durations {
    private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(ns|us|ms|s|m|h)");

    private Durations() {}

    /// @throws IllegalArgumentException when `text` has no unit or is not a duration
    public static Duration parse(String text) {
        Matcher m = FORM.matcher(text.trim());
        if (!m.matches()) {
            throw new IllegalArgumentException(
                    "not a duration: '" + text + "' (write 250us, 10ms, 1.5s, 2m or 1h)");
        }
        double nanosPerUnit =
                switch (m.group(2)) {
                    case "ns" -> 1;
                    case "us" -> 1e3;
                    case "ms" -> 1e6;
                    case "s" -> 1e9;
                    case "m" -> 60e9;
                    case "h" -> 3600e9;
                    default -> throw new IllegalStateException(m.group(2));
                };
        return Duration.ofNanos(Math.round(Double.parseDouble(m.group(1)) * nanosPerUnit));
    }

    public static Duration ofSeconds(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e9));
    }

    public static double seconds(Duration d) {
        return d.toNanos() / 1e9;
    }

    /// The shortest text that is sufficiently exact: `90s` → `1m 30s`, `0.0015s` → `1.5ms`, `7500s`
    /// → `2h 5m`.
    public static String format(Duration d) {
        long ns = d.toNanos();
        if (ns >= 60_000_000_000L) {
            long s = Math.round(ns / 1e9);
            if (s >= 3600) {
                long minutes = Math.round(s / 60.0);
                return minutes % 60 == 0
                        ? minutes / 60 + "h"
                        : minutes / 60 + "h " + minutes % 60 + "m";
            }
            return s % 60 == 0 ? s / 60 + "m" : s / 60 + "m " + s % 60 + "s";
        }
        double v = ns >= 1_000_000_000L ? ns / 1e9 : ns >= 1_000_000L ? ns / 1e6 : ns / 1e3;
        String unit = ns >= 1_000_000_000L ? "s" : ns >= 1_000_000L ? "ms" : "us";
        String digits = String.format(Locale.ROOT, "%.2f", v);
        return digits.replaceAll("0+$", "").replaceAll("\\.$", "") + unit;
    }
}
