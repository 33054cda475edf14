package dev.jdyno.gclog.sums;

import dev.jdyno.measure.gc.GcLogFigures;
import java.util.ArrayList;
import java.util.List;

/// The number of pauses by length, in bins whose bounds are powers of two of a millisecond.
final class PauseBins {
    /// Exponent of the lowest bound: 2^-10 ms, about a microsecond. Shorter pauses count in the
    /// first bin.
    private static final int LOWEST = -10;

    /// Exponent of the highest bound: 2^20 ms, 17 minutes. Longer pauses count in the last bin.
    private static final int HIGHEST = 20;

    private final long[] counts = new long[HIGHEST - LOWEST];

    void add(double ms) {
        int exponent = ms > 0 ? Math.getExponent(ms) : LOWEST;
        counts[Math.clamp(exponent - LOWEST, 0, counts.length - 1)]++;
    }

    /// The bins from the first to the last that is not empty.
    List<GcLogFigures.PauseBin> finish() {
        int first = 0;
        int last = counts.length;
        while (first < last && counts[first] == 0) {
            first++;
        }
        while (last > first && counts[last - 1] == 0) {
            last--;
        }
        List<GcLogFigures.PauseBin> bins = new ArrayList<>();
        for (int i = first; i < last; i++) {
            bins.add(
                    new GcLogFigures.PauseBin(
                            Math.scalb(1.0, LOWEST + i),
                            Math.scalb(1.0, LOWEST + i + 1),
                            counts[i]));
        }
        return bins;
    }
}
