package dev.jdyno.measure.text;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// An amount of memory or data. Written and read with the suffixes of HotSpot's flags: `512k`,
/// `256m`, `4g`, each a power of 1024.
public record Bytes(long value) implements Comparable<Bytes> {
    private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([kmgt]?)i?b?");

    public Bytes {
        if (value < 0) {
            throw new IllegalArgumentException("bytes must not be negative: " + value);
        }
    }

    /// @throws IllegalArgumentException when `text` is not a size such as `256m`
    public static Bytes parse(String text) {
        Matcher m = FORM.matcher(text.trim().toLowerCase(Locale.ROOT));
        if (!m.matches()) {
            throw new IllegalArgumentException(
                    "not a size: '" + text + "' (write 512k, 256m or 4g)");
        }
        int power = m.group(2).isEmpty() ? 0 : "kmgt".indexOf(m.group(2)) + 1;
        return new Bytes(Math.round(Double.parseDouble(m.group(1)) * Math.pow(1024, power)));
    }

    public static Bytes mebi(double mebibytes) {
        return new Bytes(Math.round(mebibytes * 1024 * 1024));
    }

    public double inMebi() {
        return value / (1024.0 * 1024.0);
    }

    @Override
    public int compareTo(Bytes other) {
        return Long.compare(value, other.value);
    }

    /// Three significant figures with a binary unit: `1.5 GiB`, `812 KiB`, `17 B`.
    @Override
    public String toString() {
        double v = value;
        int unit = 0;
        while (v >= 1024 && unit < 4) {
            v /= 1024;
            unit++;
        }
        String[] names = {"B", "KiB", "MiB", "GiB", "TiB"};
        int decimals = unit == 0 || v >= 100 ? 0 : v >= 10 ? 1 : 2;
        return String.format(Locale.ROOT, "%." + decimals + "f %s", v, names[unit]);
    }
}
