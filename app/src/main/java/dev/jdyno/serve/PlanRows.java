package dev.jdyno.serve;

import dev.jdyno.history.Filter;
import dev.jdyno.history.History;
import dev.jdyno.history.Kind;
import dev.jdyno.history.Point;
import dev.jdyno.report.html.PlanRow;
import dev.jdyno.series.Levels;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The rows of the first page.
///
/// @param changes true to look for changes of level; false during a run in this process, because
///   the search would disturb the run
record PlanRows(History history, boolean changes) {
    /// Maximum number of results in a row. An earlier change of level is visible on the page of the
    /// figure.
    private static final int MAX_POINTS = 40;

    /// Minimum change of level, as a share of the level. `guard` uses the same for CPU and
    /// allocation.
    private static final double MIN_CHANGE = 0.03;

    /// Verbs that measure figures of the service. Verbs that compare give ratios instead.
    static final List<Kind> MEASURING = List.of(Kind.RUN, Kind.GUARD, Kind.DIAGNOSE);

    List<PlanRow> of(List<String> plans) {
        return plans.stream().flatMap(p -> row(p, Filter.ALL.ofPlan(p)).stream()).toList();
    }

    /// The row of a plan; empty if the plan's last result was deleted meanwhile.
    private Optional<PlanRow> row(String plan, Filter all) {
        return history.list(all.newest(1)).stream()
                .findFirst()
                .map(newest ->
                        new PlanRow(
                                newest,
                                history.count(all),
                                points(plan, PlanRow.THROUGHPUT),
                                changes ? lastChange(plan) : Optional.empty()));
    }

    private List<Point> points(String plan, String figure) {
        return history.series(
                Filter.ALL.ofPlan(plan).ofKinds(MEASURING).newest(MAX_POINTS), figure);
    }

    private Optional<PlanRow.Change> lastChange(String plan) {
        return PlanRow.WATCHED.stream()
                .flatMap(figure -> lastChange(figure, points(plan, figure)))
                .max(Comparator.comparing(c -> c.at().at()));
    }

    private static Stream<PlanRow.Change> lastChange(String figure, List<Point> points) {
        double[] values = points.stream().mapToDouble(Point::value).toArray();
        List<Levels.Change> found = Levels.of(values, MIN_CHANGE).changes();
        return found.isEmpty()
                ? Stream.empty()
                : Stream.of(
                        new PlanRow.Change(
                                figure,
                                points.get(found.getLast().index()),
                                found.getLast().ratio()));
    }
}
