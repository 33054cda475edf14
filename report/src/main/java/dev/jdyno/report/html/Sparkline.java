package dev.jdyno.report.html;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A small line of values over time. It spans at least a fifth of the largest value, so that noise
/// of a few percent does not look like a change.
public record Sparkline(List<Double> values) {
    private static final double WIDTH = 120;
    private static final double HEIGHT = 28;

    /// Margin for the dot at the end of the line.
    private static final double MARGIN = 3;

    private static final double MIN_SPAN = 0.2;

    public Sparkline {
        values = List.copyOf(values);
    }

    public String box() {
        return String.format(Locale.ROOT, "0 0 %.0f %.0f", WIDTH, HEIGHT);
    }

    public boolean isEmpty() {
        return values.isEmpty();
    }

    /// The points of a `polyline`.
    public String points() {
        return IntStream.range(0, values.size())
                .mapToObj(i -> text(x(i)) + "," + text(y(i)))
                .collect(Collectors.joining(" "));
    }

    public String lastX() {
        return text(x(values.size() - 1));
    }

    public String lastY() {
        return text(y(values.size() - 1));
    }

    private double x(int index) {
        double last = values.size() - 1.0;
        return last == 0 ? WIDTH / 2 : MARGIN + (WIDTH - 2 * MARGIN) * index / last;
    }

    private double y(int index) {
        double min = values.stream().mapToDouble(v -> v).min().orElseThrow();
        double max = values.stream().mapToDouble(v -> v).max().orElseThrow();
        double span = Math.max(max - min, MIN_SPAN * Math.abs(max));
        double up = span > 0 ? 0.5 + (values.get(index) - (min + max) / 2) / span : 0.5;
        return HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * up;
    }

    private static String text(double v) {
        return String.format(Locale.ROOT, "%.1f", v);
    }
}
