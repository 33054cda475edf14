package dev.jdyno.report.html;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.report.json.JsonDocument;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The content of one chart, as data for `chart.js`. The head of that file describes the form of
/// the data.
///
/// @param zoom true if dragging zooms in on x
/// @param links target of a click on each x, in the order of x; empty: no targets
public record Chart(
        X x, Y y, boolean zoom, List<Series> series, List<Mark> marks, List<String> links) {
    private static final String RUN_TIME = "time since the run began, s";

    /// The scale of an axis; the names are those of `chart.js`.
    public enum Axis {
        LINEAR("linear"),
        LOGARITHMIC("log"),
        /// An axis with one unit per nine of a share: x = 1 is 90 %, x = 2 is 99 %.
        NINES("nines");

        private final String key;

        Axis(String key) {
            this.key = key;
        }

        /// The name in `chart.js`.
        public String key() {
            return key;
        }

        /// The position of a share of the values on an axis of nines.
        static double nines(double share) {
            return -Math.log10(1 - share);
        }
    }

    /// The form in which a series is drawn; the names are those of `chart.js`.
    public enum Style {
        /// Points joined by a line.
        POINTS("points"),
        /// Points without a line, for several figures at one x.
        SCATTER("scatter"),
        LINE("line"),
        DASHED("dashed"),
        DOTS("dots"),
        AREA("area"),
        /// Filled to zero. The series are running sums. They look stacked if the total comes first.
        STACK("stack"),
        /// A value holds until the next x, filled to zero.
        STEPS("steps");

        private final String key;

        Style(String key) {
            this.key = key;
        }

        /// The name in `chart.js`, and of the mark in a legend.
        public String key() {
            return key;
        }
    }

    /// @param colour a variable of `report.css`, such as `--measured`
    public record Series(String name, Style style, String colour, List<Point> points) {
        public Series {
            points = List.copyOf(points);
        }
    }

    /// @param interval of y, drawn as a whisker
    public record Point(double x, double y, Optional<Interval> interval) {
        public Point(double x, double y) {
            this(x, y, Optional.empty());
        }
    }

    /// A vertical line with its interval as a band.
    ///
    /// @param top true if the label is at the top left of the line, false if it is at the bottom
    ///   right
    public record Mark(double at, Interval interval, String label, boolean top) {}

    /// @param zero true if the axis starts at 0
    /// @param axis scale of the axis
    /// @param to minimum end of an axis that starts at 0; 0: it ends at its largest value
    public record X(String label, boolean zero, Axis axis, double to) {
        /// A linear axis that ends at its largest value.
        static X linear(String label, boolean fromZero) {
            return new X(label, fromZero, Axis.LINEAR, 0);
        }

        /// An axis that spans its values.
        static X spanning(String label, Axis axis) {
            return new X(label, false, axis, 0);
        }
    }

    /// @param unit for the tooltip; empty if it has none
    /// @param log true if the axis is logarithmic (every value must be above 0)
    /// @param zero true if the axis starts at 0; else it spans the values, for small changes
    /// @param to end of a linear axis that starts at 0; 0: slightly above its largest value
    public record Y(String label, String unit, boolean log, boolean zero, double to) {
        /// A linear axis that starts at 0.
        static Y fromZero(String label, String unit) {
            return new Y(label, unit, false, true, 0);
        }

        /// A linear axis that spans its values.
        static Y spanning(String label, String unit) {
            return new Y(label, unit, false, false, 0);
        }

        Y withLog(boolean logarithmic) {
            return new Y(label, unit, logarithmic, zero, to);
        }

        Y upTo(double end) {
            return new Y(label, unit, log, zero, end);
        }
    }

    public Chart {
        series = List.copyOf(series);
        marks = List.copyOf(marks);
        links = List.copyOf(links);
    }

    /// A chart without zoom, marks or links.
    static Chart of(X x, Y y, List<Series> series) {
        return new Chart(x, y, false, series, List.of(), List.of());
    }

    Chart withZoom() {
        return new Chart(x, y, true, series, marks, links);
    }

    Chart withMarks(List<Mark> shown) {
        return new Chart(x, y, zoom, series, shown, links);
    }

    Chart withLinks(List<String> leading) {
        return new Chart(x, y, zoom, series, marks, leading);
    }

    /// The same chart over the whole time of the run, so that charts below each other share one
    /// time axis.
    ///
    /// @param endS end of the run, in seconds
    /// @param rounds marks at the start of each round
    public Chart overRun(double endS, List<Mark> rounds) {
        return new Chart(
                new X(RUN_TIME, true, x.axis(), endS),
                y,
                zoom,
                series,
                Stream.concat(marks.stream(), rounds.stream()).toList(),
                links);
    }

    /// True if y is logarithmic.
    public boolean yLog() {
        return y.log();
    }

    /// The chart as JSON that is safe inside a `script` element: it contains no `<` that could end
    /// the element.
    public String json() {
        return JsonDocument.line(
                        new Form(
                                x,
                                y,
                                zoom,
                                links,
                                marks.stream().map(MarkForm::of).toList(),
                                series.stream().map(SeriesForm::of).toList()))
                .replace("<", "\\u003c")
                .replace(">", "\\u003e")
                .replace("&", "\\u0026")
                .replace("\u2028", "\\u2028")
                .replace("\u2029", "\\u2029");
    }

    private record Form(
            X x,
            Y y,
            boolean zoom,
            List<String> links,
            List<MarkForm> marks,
            List<SeriesForm> series) {}

    private record MarkForm(double at, double lo, double hi, String label, boolean top) {
        private static MarkForm of(Mark m) {
            return new MarkForm(m.at(), m.interval().lo(), m.interval().hi(), m.label(), m.top());
        }
    }

    /// @param lo lower ends of the intervals, if every point has one
    private record SeriesForm(
            String name,
            Style style,
            String colour,
            List<Double> x,
            List<Double> y,
            @JsonInclude(Include.NON_ABSENT) Optional<List<Double>> lo,
            @JsonInclude(Include.NON_ABSENT) Optional<List<Double>> hi) {
        private static SeriesForm of(Series s) {
            List<Point> finite =
                    s.points().stream()
                            .filter(p -> Double.isFinite(p.x()) && Double.isFinite(p.y()))
                            .toList();
            List<Interval> intervals = finite.stream().flatMap(p -> p.interval().stream()).toList();
            Optional<List<Interval>> all =
                    Optional.of(intervals).filter(i -> !i.isEmpty() && i.size() == finite.size());
            return new SeriesForm(
                    s.name(),
                    s.style(),
                    s.colour(),
                    finite.stream().map(Point::x).toList(),
                    finite.stream().map(Point::y).toList(),
                    all.map(i -> i.stream().map(Interval::lo).toList()),
                    all.map(i -> i.stream().map(Interval::hi).toList()));
        }
    }
}
