package dev.jdyno.report.words;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.Durations;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.Locale;

/// Figures for readers: three significant digits, no exponent, and the same text in every locale.
public final class Figures {
    private Figures() {}

    /// A number: `175`, `91.9`, `1.71`, `0.031`; `unlimited` for infinity, `-` for NaN.
    public static String number(double v) {
        if (Double.isNaN(v)) {
            return "-";
        }
        if (Double.isInfinite(v)) {
            return v > 0 ? "unlimited" : "-unlimited";
        }
        double size = Math.abs(v);
        int decimals = size >= 99.95 || size == 0 ? 0 : size >= 9.995 ? 1 : size >= 0.1 ? 2 : 3;
        String text = String.format(Locale.ROOT, "%." + decimals + "f", v);
        return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
    }

    /// Requests in flight at which throughput stops growing: `N=18.3`. Below one, the text says
    /// that a single request already saturates the service.
    public static String inFlight(double n) {
        return isBelowOne(n) ? "below one request at a time" : "N=" + number(n);
    }

    /// Requests in flight for a column: `18.3`, `<1`.
    public static String inFlightShort(double n) {
        return isBelowOne(n) ? "<1" : number(n);
    }

    /// True if a number of requests in flight is shown as less than 1.
    public static boolean isBelowOne(double n) {
        return n < 1 && !number(n).equals("1");
    }

    /// A ratio to the present value: `1.9x`.
    public static String ratio(double v) {
        return Double.isFinite(v) ? String.format(Locale.ROOT, "%.2fx", v) : number(v);
    }

    /// A signed share in percent: `+12 %`, `-3 %`.
    public static String percentChange(double ratio) {
        if (!Double.isFinite(ratio)) {
            return number(ratio);
        }
        return String.format(Locale.ROOT, "%+.0f %%", (ratio - 1) * 100);
    }

    public static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", share * 100);
    }

    /// An interval: `18.4 to 22`; one figure if both ends have the same text.
    public static String range(Interval i) {
        String lo = number(i.lo());
        String hi = number(i.hi());
        return lo.equals(hi) ? lo : lo + " to " + hi;
    }

    public static String bytes(double bytes) {
        return bytes >= 0 && Double.isFinite(bytes)
                ? new Bytes(Math.round(bytes)).toString()
                : number(bytes);
    }

    public static String bytesPerSecond(double bytes) {
        return bytes(bytes) + "/s";
    }

    /// A time: `250us`, `9.6ms`, `1.5s`.
    public static String time(double ms) {
        return Durations.format(Duration.ofNanos(Math.round(ms * 1e6)));
    }

    /// A length of time to the second: `2m 8s`.
    public static String seconds(double seconds) {
        return Durations.format(Duration.ofSeconds(Math.round(seconds)));
    }

    /// True if a sample of this size is large enough for a quantile: at least one value is above
    /// it.
    public static boolean carries(long values, double q) {
        return (double) values * (1 - q) >= 1 - 1e-9;
    }

    /// Rounds a prediction to two digits, because it is less exact than a measurement.
    public static double twoDigits(double ratio) {
        return ratio > 0 && Double.isFinite(ratio)
                ? new BigDecimal(ratio).round(new MathContext(2)).doubleValue()
                : ratio;
    }
}
