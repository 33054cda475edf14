package dev.jdyno.gclog.read;

/// Whether a log's durations have a fraction. HotSpot writes one each time (three digits for the
/// milliseconds of unified logging, seven for the seconds of JDK 6–8), so that once a few were seen
/// a figure without one has lost its point, and is wrong by orders of magnitude.
public final class Decimals {
    /// Figures after which the habit is known.
    private static final int SURE = 3;

    private int seen;

    /// Whether the figure in `b[from…to)` cannot be as it was written.
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
