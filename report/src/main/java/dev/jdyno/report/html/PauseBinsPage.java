package dev.jdyno.report.html;

import dev.jdyno.measure.gc.GcLogFigures.PauseBin;
import dev.jdyno.report.words.Figures;
import java.util.List;
import java.util.Locale;

/// The number of pauses by length, as bars.
public record PauseBinsPage(List<PauseBin> bins) {
    public PauseBinsPage {
        bins = List.copyOf(bins);
    }

    /// Width of a bin's bar, in percent of the fullest bin's bar.
    public String bar(PauseBin bin) {
        long max = bins.stream().mapToLong(PauseBin::count).max().orElse(1);
        return String.format(Locale.ROOT, "%.1f", 100.0 * bin.count() / Math.max(1, max));
    }

    public String figure(double v) {
        return Figures.number(v);
    }
}
