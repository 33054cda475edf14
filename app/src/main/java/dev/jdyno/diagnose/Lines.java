package dev.jdyno.diagnose;

import dev.jdyno.measure.Verdict.EvidenceLine;
import java.util.Locale;

/// Evidence lines and sentences, built from the numbers they carry.
final class Lines {
    private Lines() {}

    static EvidenceLine line(String id, String says, double value, String unit, double limit) {
        return new EvidenceLine(id, says, value, unit, limit);
    }

    static String say(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /// Milliseconds: `9.8`, and two significant digits below 1: `0.034`.
    static String ms(double v) {
        int decimals = v >= 1 || v <= 0 ? 1 : 1 - (int) Math.floor(Math.log10(v));
        return say("%." + decimals + "f", v);
    }

    /// Maps how far `value` lies between `from` and `to` onto `least`…`most`, clamped.
    static double confidence(double value, double from, double to, double least, double most) {
        double share = Math.clamp((value - from) / (to - from), 0.0, 1.0);
        return least + share * (most - least);
    }
}
