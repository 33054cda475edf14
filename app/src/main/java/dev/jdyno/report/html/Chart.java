package dev.jdyno.report.html;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.report.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// What one chart shows, as data for `chart.js`; its form is described at the head of that file.
///
/// @param unit of y, for the tooltip; empty when y has none
/// @param yLog whether y is logarithmic (every y must be above 0)
/// @param xFromZero whether the x axis starts at 0
/// @param yFromZero whether the y axis starts at 0; else it spans the values, for small changes
/// @param zoom whether dragging zooms in on x
/// @param xAxis what distances on x stand for
/// @param links where a click on each x leads, in their order; empty: nowhere
public record Chart(
        String xLabel,
        String yLabel,
        String unit,
        boolean yLog,
        boolean xFromZero,
        boolean yFromZero,
        boolean zoom,
        List<Series> series,
        List<Mark> marks,
        List<String> links,
        Axis xAxis) {

    /// What distances on an axis stand for; the names are those of `chart.js`.
    public enum Axis {
        LINEAR("linear"),
        LOGARITHMIC("log"),
        /// x is how often the share beyond is a tenth of the one before: 1 is 90 %, 2 is 99 %.
        NINES("nines");

        private final String key;

        Axis(String key) {
            this.key = key;
        }

        /// Where a share of the values stands on an axis of nines.
        static double nines(double share) {
            return -Math.log10(1 - share);
        }
    }

    /// How a series is drawn; the names are those of `chart.js`.
    public enum Style {
        /// Points joined by a line.
        POINTS("points"),
        /// The same points without the line, for several figures at one x.
        SCATTER("scatter"),
        LINE("line"),
        DASHED("dashed"),
        DOTS("dots"),
        AREA("area"),
        /// Filled to zero: series that hold running sums, the whole first, look stacked.
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
    /// @param top whether its label stands at the top left of it, and not at the bottom right
    public record Mark(double at, Interval interval, String label, boolean top) {}

    /// One whose y axis starts at 0.
    public Chart(
            String xLabel,
            String yLabel,
            String unit,
            boolean yLog,
            boolean xFromZero,
            boolean zoom,
            List<Series> series,
            List<Mark> marks) {
        this(
                xLabel,
                yLabel,
                unit,
                yLog,
                xFromZero,
                true,
                zoom,
                series,
                marks,
                List.of(),
                Axis.LINEAR);
    }

    public Chart {
        series = List.copyOf(series);
        marks = List.copyOf(marks);
        links = List.copyOf(links);
    }

    /// The chart as JSON that may stand inside a `script` element: no `<` can end the element.
    public String json() {
        return tree().toString()
                .replace("<", "\\u003c")
                .replace(">", "\\u003e")
                .replace("&", "\\u0026")
                .replace("\u2028", "\\u2028")
                .replace("\u2029", "\\u2029");
    }

    private ObjectNode tree() {
        var root =
                new JsonObject()
                        .put(
                                "x",
                                new JsonObject()
                                        .put("label", xLabel)
                                        .put("zero", xFromZero)
                                        .put("axis", xAxis.key))
                        .put(
                                "y",
                                new JsonObject()
                                        .put("label", yLabel)
                                        .put("unit", unit)
                                        .put("log", yLog)
                                        .put("zero", yFromZero))
                        .put("zoom", zoom)
                        .put("links", links)
                        .putEach(
                                "marks",
                                marks,
                                m ->
                                        new JsonObject()
                                                .put("at", m.at())
                                                .put("lo", m.interval().lo())
                                                .put("hi", m.interval().hi())
                                                .put("label", m.label())
                                                .put("top", m.top()))
                        .node();
        ArrayNode all = root.putArray("series");
        series.forEach(s -> all.add(tree(s)));
        return root;
    }

    private static ObjectNode tree(Series s) {
        List<Point> finite = new ArrayList<>(s.points());
        finite.removeIf(p -> !Double.isFinite(p.x()) || !Double.isFinite(p.y()));
        var node = JsonNodeFactory.instance.objectNode();
        node.put("name", s.name()).put("style", s.style().key).put("colour", s.colour());
        var x = node.putArray("x");
        var y = node.putArray("y");
        finite.forEach(p -> {
            x.add(p.x());
            y.add(p.y());
        });
        if (!finite.isEmpty() && finite.stream().allMatch(p -> p.interval().isPresent())) {
            var lo = node.putArray("lo");
            var hi = node.putArray("hi");
            finite.stream()
                    .flatMap(p -> p.interval().stream())
                    .forEach(i -> {
                        lo.add(i.lo());
                        hi.add(i.hi());
                    });
        }
        return node;
    }
}
