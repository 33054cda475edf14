package dev.jdyno.report.html;

import dev.jdyno.compare.Compared;
import dev.jdyno.compare.Compared.Row;
import dev.jdyno.compare.Outcome;
import dev.jdyno.report.words.CompareText;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/// What the page of a comparison shows.
///
/// @param version of jdyno
public record ComparePage(Compared result, String version) {
    /// Width of the plot of ratios, in its own units.
    private static final double WIDTH = 300;

    /// Least half of the plotted range, on the log scale: smaller differences fill no plot.
    private static final double LEAST_RANGE = Math.log(1.1);

    private static final double MARGIN = 1.08;

    public String verdict() {
        return CompareText.verdict(result);
    }

    public String how() {
        return CompareText.how(result);
    }

    public List<String> where() {
        return CompareText.where(result);
    }

    public String a(Row row) {
        return CompareText.figure(row.metric(), row.a());
    }

    public String b(Row row) {
        return CompareText.figure(row.metric(), row.b());
    }

    public String ratio(double value) {
        return CompareText.ratio(value);
    }

    /// The class of the page's style for an outcome.
    public String tone(Outcome outcome) {
        return switch (outcome) {
            case BETTER -> "up";
            case WORSE -> "down";
            case EQUIVALENT, INCONCLUSIVE -> "dim";
        };
    }

    /// Where a ratio stands in the plot; all rows have one scale.
    public String x(double ratio) {
        double range = range();
        double at = Math.clamp(Math.log(ratio) / range, -1.0, 1.0);
        return String.format(Locale.ROOT, "%.1f", WIDTH / 2 * (1 + at));
    }

    /// Length between two ratios in the plot.
    public String length(double from, double to) {
        return String.format(
                Locale.ROOT, "%.1f", Double.parseDouble(x(to)) - Double.parseDouble(x(from)));
    }

    /// The ratio at the right end of the plot.
    public String most() {
        return String.format(Locale.ROOT, "%.2f", Math.exp(range()));
    }

    /// The ratio at the left end of the plot.
    public String least() {
        return String.format(Locale.ROOT, "%.2f", Math.exp(-range()));
    }

    private double range() {
        double most =
                result.rows().stream()
                        .flatMapToDouble(r ->
                                DoubleStream.concat(
                                        r.ratios().stream().mapToDouble(v -> v),
                                        r.effect().stream().mapToDouble(e -> e.ratio())))
                        .map(v -> Math.abs(Math.log(v)))
                        .max()
                        .orElse(0);
        return Math.max(LEAST_RANGE, MARGIN * most);
    }
}
