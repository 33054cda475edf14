package dev.jdyno.serve;

import dev.jdyno.history.Entry;
import dev.jdyno.history.Filter;
import dev.jdyno.history.History;
import dev.jdyno.history.Kind;
import dev.jdyno.history.Point;
import dev.jdyno.report.HistoryReport;
import dev.jdyno.report.Pair;
import dev.jdyno.series.Levels;
import java.util.List;
import java.util.Optional;

/// The content of a history as JSON documents, the same for clients over HTTP and for assistants.
/// Throws the {@link dev.jdyno.measure.text.UserError} of the history.
public record StoredResults(History history) {
    /// Returns the list of results as `jdyno/history-list/1`, the newest first.
    ///
    /// @param from number of newer results that are left out
    /// @param max maximum number of results
    public String list(Optional<String> plan, int from, int max) {
        Filter wanted = plan.map(Filter.ALL::ofPlan).orElse(Filter.ALL);
        return HistoryReport.json(some(wanted, from, max), history.count(wanted));
    }

    List<Entry> some(Filter wanted, int from, int max) {
        return history.list(wanted.newest(from + max)).stream().skip(from).toList();
    }

    /// @param id as {@link History#entry} takes it
    public Entry entry(String id) {
        return history.entry(id);
    }

    /// Returns one result as `jdyno/history/1`.
    public String result(String id) {
        return HistoryReport.json(entry(id));
    }

    /// Returns the values of a figure over time as `jdyno/trend/1`.
    ///
    /// @param verb of the results; empty: all verbs that measure the service
    public String trend(String plan, String figure, Optional<Kind> verb) {
        List<Point> points = points(plan, figure, verb);
        return HistoryReport.json(plan, figure, points, levels(points));
    }

    /// The points of a figure. Without a verb, comparisons are left out, because their ratios are
    /// not figures of the service.
    List<Point> points(String plan, String figure, Optional<Kind> verb) {
        Filter of = Filter.ALL.ofPlan(plan);
        return history.series(
                verb.isPresent() ? of.ofKind(verb.get()) : of.ofKinds(PlanRows.MEASURING), figure);
    }

    static Levels levels(List<Point> points) {
        return Levels.of(points.stream().mapToDouble(Point::value).toArray(), 0);
    }

    /// Returns two results in the order of their times.
    Pair inTime(String one, String other) {
        Pair pair = pair(one, other);
        return pair.a().at().isAfter(pair.b().at()) ? new Pair(pair.b(), pair.a()) : pair;
    }

    /// Returns two results; their JSON is `jdyno/pair/1`.
    public Pair pair(String a, String b) {
        return new Pair(entry(a), entry(b));
    }
}
