package dev.jdyno.report.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/// A small text histogram of latencies. Its rows are equally wide on a logarithmic scale, so that a
/// second peak far from the first is visible.
public final class LatencyBars {
    private static final int MAX_ROWS = 10;
    private static final int BAR_WIDTH = 40;

    private LatencyBars() {}

    public static List<String> of(Histogram nanos) {
        List<String> lines = new ArrayList<>();
        long all = nanos.getTotalCount();
        if (all == 0) {
            return lines;
        }
        double low = Math.max(1, nanos.getMinNonZeroValue());
        double ratio = Math.max(1.0001, nanos.getMaxValue() / low);
        int rows = Math.clamp(Math.round(4 * Math.log10(ratio)) + 1, 1, MAX_ROWS);
        double step = Math.pow(ratio, 1.0 / rows);
        long[] counts = new long[rows];
        long max = 1;
        double from = 0;
        for (int row = 0; row < rows; row++) {
            double to = row == rows - 1 ? nanos.getMaxValue() : low * Math.pow(step, row + 1.0);
            counts[row] =
                    nanos.getCountBetweenValues((long) from, Math.max((long) from, (long) to));
            max = Math.max(max, counts[row]);
            from = to + 1;
        }
        for (int row = 0; row < rows; row++) {
            int bar = (int) Math.ceil(BAR_WIDTH * (double) counts[row] / max);
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "  ≤ %9.3f ms %-" + BAR_WIDTH + "s %6.2f %%",
                            low * Math.pow(step, row + 1.0) / 1e6,
                            "#".repeat(bar),
                            100.0 * counts[row] / all));
        }
        return lines;
    }
}
