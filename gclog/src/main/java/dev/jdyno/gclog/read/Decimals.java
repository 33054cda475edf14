package dev.jdyno.gclog.read;

/// Detects durations that lost their decimal point. HotSpot always writes a fraction: three digits
/// for the milliseconds of unified logging, seven for the seconds of JDK 6–8. So a figure without a
/// fraction is torn if a few figures with one came before, and its value is wrong by orders of
/// magnitude.
public final class Decimals {
    /// Number of figures with a fraction after which one without a fraction counts as torn.
    private static final int SURE = 3;

    private int seen;

    /// True if the figure in `b[from…to)` must be torn.
    public boolean isTorn(byte[] b, int from, int to) {
        for (int i = from; i < to; i++) {
            if (b[i] == '.' || b[i] == ',') {
                seen++;
                return false;
            }
        }
        return seen >= SURE;
    }
}
