package dev.jdyno.report.html;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.report.words.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/// A chart as a picture that needs neither script nor style sheet, for servers that forbid both:
/// Jenkins serves files with the policy `sandbox; default-src 'none'`. If scripts may run,
/// `chart.js` replaces this picture.
///
/// All lengths are units of the picture's box. Colours are attributes, which no policy forbids.
public final class StillChart {
    static final double WIDTH = 560;
    static final double HEIGHT = 270;
    private static final double LEFT = 58;
    private static final double RIGHT = WIDTH - 14;
    private static final double TOP = 40;
    private static final double BOTTOM = HEIGHT - 42;

    /// Number of columns into which many points are gathered. Each keeps its lowest and its highest
    /// point, so that no peak is lost.
    private static final int COLUMNS = 240;

    /// Approximate number of labels of an axis.
    private static final int LABELS = 5;

    /// Space above the largest value, as `chart.js` leaves it.
    private static final double ABOVE = 1.1;

    private static final double BESIDE = 1.04;

    /// Half the width of an interval's ends.
    private static final double WHISKER = 3;

    private final Chart chart;
    private final Scale x;
    private final Scale y;

    private StillChart(Chart chart, Scale x, Scale y) {
        this.chart = chart;
        this.x = x;
        this.y = y;
    }

    /// @param at position along the axis
    public record Label(String at, String text) {}

    /// A series as a path.
    ///
    /// @param fill opacity of the area below it
    /// @param dash pattern of the line; `none` is unbroken
    /// @param width of the line; points are small squares with this border
    public record Drawn(
            String name, String colour, String path, String fill, String dash, String width) {}

    /// A vertical line.
    public record Line(String at, String label, String labelAt) {}

    /// One axis: the values at its ends, and the position of each value on it.
    private record Scale(
            double from, double to, DoubleUnaryOperator form, double start, double end) {
        double at(double value) {
            double low = form.applyAsDouble(from);
            double high = form.applyAsDouble(to);
            double share = high > low ? (form.applyAsDouble(value) - low) / (high - low) : 0.5;
            return start + (end - start) * Math.clamp(share, 0, 1);
        }

        static Scale of(DoubleStream values, Ends ends, double start, double end) {
            double[] sorted = values.filter(Double::isFinite).sorted().toArray();
            double min = sorted.length == 0 ? 0 : sorted[0];
            double max = sorted.length == 0 ? 1 : sorted[sorted.length - 1];
            if (ends.log) {
                // a value of 0 or less is drawn at the lower end
                double low = DoubleStream.of(sorted).filter(v -> v > 0).findFirst().orElse(1);
                return new Scale(
                        low, Math.max(low, max), v -> Math.log10(Math.max(low, v)), start, end);
            }
            if (ends.zero) {
                double to =
                        ends.to > 0 && ends.exact ? ends.to : Math.max(max, ends.to) * ends.margin;
                return new Scale(0, to > 0 ? to : 1, v -> v, start, end);
            }
            return new Scale(min, max, v -> v, start, end);
        }
    }

    /// @param to requested end; 0: none
    /// @param exact true if larger values do not move this end
    /// @param margin factor above the largest value
    private record Ends(boolean log, boolean zero, double to, boolean exact, double margin) {}

    /// Draws a chart.
    public static StillChart of(Chart chart) {
        Chart.X along = chart.x();
        Chart.Y up = chart.y();
        return new StillChart(
                chart,
                Scale.of(
                        chart.series().stream()
                                .flatMap(s -> s.points().stream())
                                .mapToDouble(Chart.Point::x),
                        new Ends(
                                along.axis() == Chart.Axis.LOGARITHMIC,
                                along.zero(),
                                along.to(),
                                false,
                                BESIDE),
                        LEFT,
                        RIGHT),
                Scale.of(
                        chart.series().stream()
                                .flatMap(s -> s.points().stream())
                                .flatMapToDouble(StillChart::heights),
                        new Ends(up.log(), up.zero(), up.to(), true, ABOVE),
                        BOTTOM,
                        TOP));
    }

    private static DoubleStream heights(Chart.Point p) {
        return DoubleStream.concat(
                DoubleStream.of(p.y()),
                p.interval().stream().flatMapToDouble(i -> DoubleStream.of(i.lo(), i.hi())));
    }

    public String box() {
        return "0 0 " + text(WIDTH) + " " + text(HEIGHT);
    }

    /// The two axes.
    public String axes() {
        return "M" + point(LEFT, TOP) + "V" + text(BOTTOM) + "H" + text(RIGHT);
    }

    public String left() {
        return text(LEFT);
    }

    public String right() {
        return text(RIGHT);
    }

    public String top() {
        return text(TOP);
    }

    /// The line of the horizontal axis.
    public String floor() {
        return text(BOTTOM);
    }

    /// The middle of the horizontal axis.
    public String middle() {
        return text((LEFT + RIGHT) / 2);
    }

    /// The vertical position of the labels of the horizontal axis.
    public String belowAxis() {
        return text(BOTTOM + 16);
    }

    public String bottom() {
        return text(HEIGHT - 6);
    }

    public String xLabel() {
        return chart.x().label();
    }

    public String yLabel() {
        return chart.y().label();
    }

    /// Labels of the horizontal axis.
    public List<Label> xLabels() {
        boolean nines = chart.x().axis() == Chart.Axis.NINES;
        DoubleStream values =
                nines
                        ? IntStream.range(0, 10).mapToDouble(i -> i == 0 ? Math.log10(2) : i)
                        : ticks(x, chart.x().axis() == Chart.Axis.LOGARITHMIC);
        return values.filter(v -> v >= x.from() && v <= x.to())
                .mapToObj(v -> new Label(text(x.at(v)), nines ? share(v) : Figures.number(v)))
                .toList();
    }

    /// Labels of the vertical axis.
    public List<Label> yLabels() {
        return ticks(y, chart.y().log())
                .filter(v -> v >= y.from() && v <= y.to())
                .mapToObj(v -> new Label(text(y.at(v)), Figures.number(v)))
                .toList();
    }

    /// A position on an axis of nines as the share that it stands for.
    private static String share(double nines) {
        int decimals = Math.max(0, (int) Math.ceil(nines - 1e-9) - 2);
        return String.format(
                Locale.ROOT, "%." + decimals + "f %%", 100 * (1 - Math.pow(10, -nines)));
    }

    /// Round values on an axis; on a logarithmic one 1, 2 and 5 times a power of ten.
    private static DoubleStream ticks(Scale scale, boolean log) {
        if (log) {
            int low = (int) Math.floor(Math.log10(scale.from()));
            int high = (int) Math.ceil(Math.log10(scale.to()));
            double[] steps = high - low > LABELS ? new double[] {1} : new double[] {1, 2, 5};
            return IntStream.rangeClosed(low, high)
                    .boxed()
                    .flatMapToDouble(
                            p -> DoubleStream.of(steps).map(step -> step * Math.pow(10, p)));
        }
        double span = scale.to() - scale.from();
        if (!(span > 0)) {
            return DoubleStream.of(scale.from());
        }
        double power = Math.pow(10, Math.floor(Math.log10(span / LABELS)));
        double step =
                DoubleStream.of(1, 2, 5, 10)
                        .map(s -> s * power)
                        .filter(s -> span / s <= LABELS)
                        .findFirst()
                        .orElse(10 * power);
        long first = (long) Math.ceil(scale.from() / step);
        long last = (long) Math.floor(scale.to() / step);
        return IntStream.rangeClosed(0, (int) Math.min(2L * LABELS, last - first))
                .mapToDouble(i -> (first + i) * step);
    }

    /// The series, the first one below the others.
    public List<Drawn> series() {
        return chart.series().stream().filter(s -> !s.points().isEmpty()).map(this::drawn).toList();
    }

    private Drawn drawn(Chart.Series s) {
        List<Chart.Point> points = gathered(finite(s.points()));
        String colour = Assets.colour(s.colour());
        String line = line(points, false);
        return switch (s.style()) {
            case POINTS ->
                    new Drawn(
                            s.name(),
                            colour,
                            line + dots(points) + whiskers(points),
                            "0",
                            "none",
                            "1.5");
            case SCATTER, DOTS ->
                    new Drawn(s.name(), colour, dots(points) + whiskers(points), "0", "none", "2");
            case LINE -> new Drawn(s.name(), colour, line, "0", "none", "2");
            case DASHED -> new Drawn(s.name(), colour, line, "0", "7 5", "1.75");
            case AREA -> new Drawn(s.name(), colour, closed(points, line), "0.15", "none", "1.25");
            case STACK -> new Drawn(s.name(), colour, closed(points, line), "1", "none", "0");
            case STEPS ->
                    new Drawn(
                            s.name(),
                            colour,
                            closed(points, line(points, true)),
                            "0.15",
                            "none",
                            "1.25");
        };
    }

    private static List<Chart.Point> finite(List<Chart.Point> points) {
        return points.stream()
                .filter(p -> Double.isFinite(p.x()) && Double.isFinite(p.y()))
                .toList();
    }

    /// The lowest and the highest point of each column, in their order; all points if there are
    /// few.
    private List<Chart.Point> gathered(List<Chart.Point> points) {
        if (points.size() <= 2 * COLUMNS) {
            return points;
        }
        List<Chart.Point> kept = new ArrayList<>();
        int from = 0;
        while (from < points.size()) {
            int column = column(points.get(from));
            int low = from;
            int high = from;
            int next = from;
            while (next < points.size() && column(points.get(next)) == column) {
                low = points.get(next).y() < points.get(low).y() ? next : low;
                high = points.get(next).y() > points.get(high).y() ? next : high;
                next++;
            }
            kept.add(points.get(Math.min(low, high)));
            if (low != high) {
                kept.add(points.get(Math.max(low, high)));
            }
            from = next;
        }
        return kept;
    }

    private int column(Chart.Point p) {
        return (int) ((x.at(p.x()) - LEFT) / (RIGHT - LEFT) * (COLUMNS - 1));
    }

    /// @param steps true if a value holds until the next point
    private String line(List<Chart.Point> points, boolean steps) {
        var path = new StringBuilder();
        for (Chart.Point p : points) {
            if (path.isEmpty()) {
                path.append('M');
            } else if (steps) {
                path.append('H').append(text(x.at(p.x()))).append('L');
            } else {
                path.append('L');
            }
            path.append(place(p));
        }
        return path.toString();
    }

    private String closed(List<Chart.Point> points, String line) {
        if (points.isEmpty()) {
            return "";
        }
        return line + "V" + text(BOTTOM) + "H" + text(x.at(points.getFirst().x())) + "Z";
    }

    /// A small square for each point.
    private String dots(List<Chart.Point> points) {
        var path = new StringBuilder();
        for (Chart.Point p : points) {
            path.append('M').append(place(p)).append("m-1.5 -1.5h3v3h-3z");
        }
        return path.toString();
    }

    private String whiskers(List<Chart.Point> points) {
        var path = new StringBuilder();
        for (Chart.Point p : points) {
            if (p.interval().isPresent()) {
                Interval i = p.interval().get();
                double at = x.at(p.x());
                for (double end : new double[] {i.lo(), i.hi()}) {
                    path.append('M').append(point(at - WHISKER, y.at(end))).append("h6");
                }
                path.append('M')
                        .append(point(at, y.at(i.lo())))
                        .append('V')
                        .append(text(y.at(i.hi())));
            }
        }
        return path.toString();
    }

    /// Vertical marks inside the chart, with their labels.
    public List<Line> marks() {
        return chart.marks().stream()
                .filter(m -> m.at() >= x.from() && m.at() <= x.to())
                .map(m ->
                        new Line(
                                text(x.at(m.at())),
                                m.label(),
                                text(m.top() ? TOP + 12 : BOTTOM - 6)))
                .toList();
    }

    public String markColour() {
        return Assets.colour("--knee");
    }

    private String place(Chart.Point p) {
        return point(x.at(p.x()), y.at(p.y()));
    }

    private static String point(double x, double y) {
        return text(x) + " " + text(y);
    }

    /// A coordinate with one decimal, because a tenth of a unit is less than a pixel.
    private static String text(double v) {
        long tenths = Math.round(10 * v);
        return tenths % 10 == 0
                ? Long.toString(tenths / 10)
                : String.format(Locale.ROOT, "%.1f", tenths / 10.0);
    }
}
