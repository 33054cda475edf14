package dev.jdyno.report.html;

import dev.jdyno.measure.gc.GcLogFigures.PauseBin;
import dev.jdyno.report.words.Figures;
import java.util.List;
import java.util.Locale;

/// How many pauses were how long, as bars.
public record PauseBinsPage(List<PauseBin> bins) {
    public PauseBinsPage {
        bins = List.copyOf(bins);
    }

    /// Width of a bin's bar, percent of the fullest one's.
    public String bar(PauseBin bin) {
        long most = bins.stream().mapToLong(PauseBin::count).max().orElse(1);
        return String.format(Locale.ROOT, "%.1f", 100.0 * bin.count() / Math.max(1, most));
    }

    public String figure(double v) {
        return Figures.number(v);
    }
}
