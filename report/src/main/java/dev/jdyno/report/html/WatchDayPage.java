package dev.jdyno.report.html;

import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.watch.WatchEvent;
import dev.jdyno.measure.watch.WatchedDay;
import dev.jdyno.measure.watch.WatchedMinute;
import dev.jdyno.measure.watch.WatchedRange;
import dev.jdyno.report.words.Figures;
import dev.jdyno.report.words.WatchText;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/// One day of a watched service: its bottlenecks as a strip of cells, charts, periods, events.
///
/// @param before the day before that has a file
/// @param after the day after that has a file
/// @param version of jdyno
public record WatchDayPage(
        WatchedDay day, Optional<LocalDate> before, Optional<LocalDate> after, String version)
        implements HtmlPage {
    private static final Duration CELL = Duration.ofMinutes(WatchedDay.CELL_MINUTES);

    /// Highest value ÷ lowest value from which on an axis is logarithmic. The headroom of a quiet
    /// night is a hundred times that of a busy hour.
    private static final double WIDE = 30;

    /// A cell of the strip.
    ///
    /// @param x position, in cells since the begin of the day
    /// @param colour a variable of `report.css`
    /// @param says the cell in words
    public record Cell(long x, String colour, String link, String says) {}

    /// A mark below the strip: an event that an operator looks for.
    ///
    /// @param x position, in cells since the begin of the day
    public record Mark(String x, String says) {}

    /// The variable of `report.css` with the colour of a bottleneck.
    public static String colour(Bottleneck name) {
        return "--b-" + name.key();
    }

    /// The name of a bottleneck; of a verdict that is none, also its meaning.
    public static String name(Bottleneck name) {
        return meaning(name).map(m -> name.key() + ": " + m).orElse(name.key());
    }

    /// The meaning of a verdict that is no bottleneck.
    static Optional<String> meaning(Bottleneck name) {
        return switch (name) {
            case LOAD -> Optional.of("nothing is saturated");
            case UNKNOWN -> Optional.of("no verdict");
            default -> Optional.empty();
        };
    }

    private DayTimes times() {
        return new DayTimes(day.service(), day.day());
    }

    /// Number of cells of a whole day.
    public long width() {
        return Duration.ofDays(1).dividedBy(CELL);
    }

    public List<Cell> cells() {
        DayTimes times = times();
        return day.cells().stream()
                .map(c ->
                        new Cell(
                                Duration.between(times.begin(), c.from()).dividedBy(CELL),
                                colour(first(c).bottleneck()),
                                times.range(c.from(), c.to()),
                                times.clock(c)
                                        + " "
                                        + said(first(c))
                                        + ", "
                                        + first(c).minutes()
                                        + " of "
                                        + WatchText.minutes(c.minutes())))
                .toList();
    }

    /// Restarts, ends and low headroom; a changed bottleneck is visible in the cells.
    public List<Mark> marks() {
        DayTimes times = times();
        double perHour = (double) Duration.ofHours(1).toMillis() / CELL.toMillis();
        return day.events().stream()
                .filter(e ->
                        !(e instanceof WatchEvent.BottleneckChanged
                                || e instanceof WatchEvent.Watching))
                .map(e ->
                        new Mark(
                                String.format(Locale.ROOT, "%.2f", times.hours(e.at()) * perHour),
                                times.clock(e.at()) + " " + WatchText.happened(e)))
                .toList();
    }

    /// The bottlenecks of the day, the longest first.
    public List<WatchedRange.Share> legend() {
        return day.whole().map(WatchedRange::verdicts).orElse(List.of());
    }

    public static WatchedRange.Share first(WatchedRange range) {
        return range.verdicts().getFirst();
    }

    private static String said(WatchedRange.Share verdict) {
        return verdict.bottleneck().key()
                + (verdict.where().isBlank() ? "" : " (" + verdict.where() + ")")
                + String.format(Locale.ROOT, ", confidence %.2f", verdict.confidence());
    }

    public String wholeDay() {
        return times().range(times().begin(), times().end());
    }

    public String dataLink() {
        return "../api/watch/" + times().page(day.day());
    }

    public Optional<String> dayBefore() {
        return before.map(times()::page);
    }

    public Optional<String> dayAfter() {
        return after.map(times()::page);
    }

    public String clock(WatchedRange range) {
        return times().clock(range);
    }

    public String link(WatchedRange range) {
        return times().range(range.from(), range.to());
    }

    public String clock(WatchEvent event) {
        return times().exact(event.at());
    }

    /// The page of the cell in which an event happened; empty if the cell has no minute.
    public Optional<String> link(WatchEvent event) {
        return day.cells().stream()
                .filter(c -> !event.at().isBefore(c.from()) && event.at().isBefore(c.to()))
                .map(this::link)
                .findFirst();
    }

    public String happened(WatchEvent event) {
        return WatchText.happened(event);
    }

    /// A figure of a table; empty if it was not measured.
    public static String number(Optional<Double> figure) {
        return figure.map(Figures::number).orElse("");
    }

    public static String headroom(WatchedRange range) {
        return number(range.lowestHeadroom().map(WatchedMinute.Room::ratio));
    }

    public static String confidence(WatchedRange.Share verdict) {
        return String.format(Locale.ROOT, "%.2f", verdict.confidence());
    }

    /// The charts of the figures that a minute has.
    public List<Figure> charts() {
        List<Figure> charts = new ArrayList<>();
        add(
                charts,
                new Named("load", "Load", "requests/s"),
                m -> m.requests().map(WatchedMinute.Requests::perS));
        add(
                charts,
                new Named("cpu", "CPU per request", "ms"),
                m -> m.requests().flatMap(WatchedMinute.Requests::cpuMs));
        add(
                charts,
                new Named("headroom", "Headroom", "first limit ÷ throughput"),
                m -> m.headroom().map(WatchedMinute.Room::ratio));
        return charts;
    }

    private record Named(String id, String title, String unit) {}

    private void add(
            List<Figure> charts, Named named, Function<WatchedMinute, Optional<Double>> figure) {
        List<Chart.Point> points = new ArrayList<>();
        for (WatchedMinute m : day.minutes()) {
            Instant middle = m.at().plusMillis(Math.round(500 * Math.min(m.seconds(), 60)));
            figure.apply(m).ifPresent(v -> points.add(new Chart.Point(times().hours(middle), v)));
        }
        if (points.isEmpty()) {
            return;
        }
        double least = points.stream().mapToDouble(Chart.Point::y).min().orElse(0);
        double most = points.stream().mapToDouble(Chart.Point::y).max().orElse(0);
        boolean log = named.id().equals("headroom") && least > 0 && most > WIDE * least;
        charts.add(
                new Figure(
                        named.id(),
                        named.title(),
                        named.title() + " of each minute over the day",
                        Chart.of(
                                        new Chart.X(
                                                "hour of the day, UTC",
                                                true,
                                                Chart.Axis.LINEAR,
                                                24),
                                        Chart.Y.fromZero(named.unit(), "").withLog(log),
                                        List.of(
                                                new Chart.Series(
                                                        named.unit(),
                                                        Chart.Style.DOTS,
                                                        "--measured",
                                                        points)))
                                .withZoom()));
    }

    /// The charts that are missing, with the reason.
    public List<String> missing() {
        List<String> missing = new ArrayList<>();
        List<String> drawn = charts().stream().map(Figure::id).toList();
        if (!drawn.contains("load")) {
            missing.add("Load: the watch found no source that counts requests.");
        }
        if (!drawn.contains("cpu")) {
            missing.add("CPU per request: it needs counted requests.");
        }
        if (!drawn.contains("headroom")) {
            missing.add("Headroom: it needs counted requests, and traffic that varies.");
        }
        return missing;
    }
}
