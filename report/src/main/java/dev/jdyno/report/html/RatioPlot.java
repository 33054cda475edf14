package dev.jdyno.report.html;

import java.util.Locale;

/// A plot of ratios on a logarithmic axis; a ratio of 1 is in the middle.
///
/// @param width width in the units of the drawing
/// @param range logarithm of the ratio at the right end
public record RatioPlot(double width, double range) {
    /// The position of a ratio.
    public String x(double ratio) {
        double at = Math.clamp(Math.log(Math.max(ratio, 1e-9)) / range, -1.0, 1.0);
        return String.format(Locale.ROOT, "%.1f", width / 2 * (1 + at));
    }

    /// The distance between two ratios on the plot.
    public String length(double from, double to) {
        return String.format(
                Locale.ROOT, "%.1f", Double.parseDouble(x(to)) - Double.parseDouble(x(from)));
    }

    /// The ratio at the right end of the plot.
    public String most() {
        return String.format(Locale.ROOT, "%.2f", Math.exp(range));
    }

    /// The ratio at the left end of the plot.
    public String least() {
        return String.format(Locale.ROOT, "%.2f", Math.exp(-range));
    }
}
