package dev.jdyno.guard;

import dev.jdyno.compare.Metric;
import dev.jdyno.history.Commit;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.series.Levels;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// The earlier days of a plan, and the judgement of today by them. Pure.
///
/// Today's value is compared with the figure's level on the days before. The means of today and the
/// last one or two days are also compared, because a small change shows only in several days. A
/// figure that looks worse is measured again the same day. It counts as worse if all values
/// together leave little doubt. A change that only many days show is found as a change of level
/// ({@link Levels}). For p50, p99 and GC pauses, one bad day is a notice. It becomes a change of
/// level if the next day shows the same. A level begins at each reported change, so that each
/// change is reported once. It also begins at each accepted day.
///
/// @param days valid days, in the order of time
/// @param begins ids of the days at which a level of a figure begins, by the figure's key: days
///   with a reported change, and accepted days
public record Past(List<Day> days, Map<String, Set<String>> begins) {
    /// Maximum one-sided p at which a value is measured again.
    private static final double SUSPECT = 0.02;

    /// Minimum increase in the share of failed requests at which a service counts as worse.
    private static final double MORE_ERRORS = 0.001;

    private static final Set<Bottleneck> NOT_OF_THE_SERVICE =
            Set.of(Bottleneck.CLIENT, Bottleneck.CPU_NEIGHBOUR, Bottleneck.UNKNOWN);

    /// Maximum number of days, with today, whose values are judged together.
    private static final int MAX_WINDOW = 3;

    /// Maximum number of days whose profiles are added up.
    private static final int MAX_PROFILES = 7;

    /// Maximum distance, in days, of two positions that count as the same change of level.
    private static final int SAME_PLACE = 3;

    public Past {
        days = List.copyOf(days);
        begins = Map.copyOf(begins);
    }

    /// Judges each figure that was measured today. A load tool gives other figures than jdyno's own
    /// load.
    ///
    /// @param today one measurement, or two if the first was repeated
    List<FigureRow> judge(List<Figure> figures, List<Today> today) {
        return figures.stream()
                .map(f -> judge(f, today))
                .filter(r -> r.value().isPresent())
                .toList();
    }

    /// @param today one measurement, or two if the first was repeated
    FigureRow judge(Figure figure, List<Today> today) {
        List<Day> known = days.stream().filter(d -> d.log(figure).isPresent()).toList();
        double[] now =
                today.stream()
                        .flatMap(t -> t.log(figure).stream())
                        .mapToDouble(Double::doubleValue)
                        .toArray();
        if (now.length == 0) {
            return FigureRow.unmeasured(figure.metric());
        }
        double value = Math.exp(mean(now) + figure.machine() * Math.log(today.getFirst().ns()));
        double[] logs = known.stream().mapToDouble(d -> d.log(figure).orElseThrow()).toArray();
        NavigableSet<Integer> begins = begins(figure, known);
        Levels levels = Levels.of(exp(values(logs, 0, new double[] {mean(now)})), figure.least());
        Optional<Candidate> best = Optional.empty();
        for (int window = 1; window <= MAX_WINDOW; window++) {
            int before = logs.length - (window - 1);
            if (before < 2 || begins.stream().anyMatch(b -> b >= before)) {
                break;
            }
            Level level =
                    Level.of(
                            Arrays.copyOf(logs, before),
                            begins.headSet(before, false),
                            levels.outliers(),
                            figure.repeats());
            if (!level.isKnown()) {
                break;
            }
            double[] values = values(logs, before, now);
            var c = new Candidate(level, window, mean(values), values.length);
            if (window > 1 && !figure.byOneDay() && !c.isSeen(figure, logs[before], 1)) {
                break;
            }
            boolean surer = best.isEmpty() || !figure.byOneDay() || c.p() < best.get().p();
            if (best.isEmpty() || (c.matters(figure) && surer)) {
                best = Optional.of(c);
            }
        }
        return best.map(c -> row(figure, value, c, known, now))
                .map(r -> r.since().isPresent() ? r : slow(figure, r, known, begins, levels))
                .orElseGet(() -> unknown(figure, value));
    }

    /// Returns the row with the last change of level, if no single day showed it.
    private static FigureRow slow(
            Figure figure,
            FigureRow row,
            List<Day> known,
            NavigableSet<Integer> begins,
            Levels levels) {
        Optional<Levels.Change> change =
                levels.changes().stream()
                        .reduce((_, later) -> later)
                        .filter(c -> c.index() < known.size())
                        .filter(c -> begins.tailSet(c.index() - SAME_PLACE, true).isEmpty());
        return change.map(
                        c -> {
                            boolean worse = c.ratio() > 1 != figure.metric().higherIsBetter();
                            return new FigureRow(
                                    row.metric(),
                                    row.value(),
                                    row.value().map(v -> v / c.ratio()),
                                    Optional.of(c.ratio()),
                                    row.ci95()
                                            .map(i ->
                                                    scaled(i, c.ratio() / row.ratio().orElse(1.0))),
                                    worse ? Verdict.WORSE : Verdict.BETTER,
                                    Optional.of(since(known.size() - c.index() + 1, known)));
                        })
                .orElse(row);
    }

    private static Interval scaled(Interval i, double by) {
        return new Interval(i.lo() * by, i.hi() * by);
    }

    private static double[] exp(double[] logs) {
        return Arrays.stream(logs).map(Math::exp).toArray();
    }

    private NavigableSet<Integer> begins(Figure figure, List<Day> known) {
        Set<String> ids = begins.getOrDefault(figure.metric().key(), Set.of());
        NavigableSet<Integer> indices = new TreeSet<>();
        for (int i = 0; i < known.size(); i++) {
            if (ids.contains(known.get(i).id())) {
                indices.add(i);
            }
        }
        return indices;
    }

    private static double[] values(double[] logs, int from, double[] now) {
        List<Double> all = new ArrayList<>();
        for (int i = from; i < logs.length; i++) {
            all.add(logs[i]);
        }
        for (double n : now) {
            all.add(n);
        }
        return all.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private FigureRow row(Figure figure, double value, Candidate c, List<Day> known, double[] now) {
        int measurements = now.length;
        boolean up = c.by() > 0;
        boolean worse = c.matters(figure) && up != figure.metric().higherIsBetter();
        boolean better = c.matters(figure) && up == figure.metric().higherIsBetter();
        Verdict verdict;
        if (worse && c.p() <= figure.certain() && measurements > 1) {
            verdict = Verdict.WORSE;
        } else if (worse && c.p() <= SUSPECT) {
            verdict = measurements > 1 ? Verdict.OK : Verdict.SUSPECT;
        } else if (better && c.p() <= figure.certain()) {
            verdict = Verdict.BETTER;
        } else {
            verdict = Verdict.OK;
        }
        if (verdict == Verdict.WORSE && !figure.byOneDay() && !c.lasts(figure, now)) {
            verdict = Verdict.NOTICE;
        }
        boolean changed = verdict == Verdict.WORSE || verdict == Verdict.BETTER;
        double ratio = Math.exp(c.by());
        double half = c.level().half(c.values());
        return new FigureRow(
                figure.metric(),
                Optional.of(value),
                Optional.of(value / ratio),
                Optional.of(ratio),
                Optional.of(new Interval(ratio * Math.exp(-half), ratio * Math.exp(half))),
                verdict,
                changed ? Optional.of(since(c.window(), known)) : Optional.empty());
    }

    private static FigureRow.Since since(int window, List<Day> known) {
        int at = known.size() - (window - 1);
        Optional<Commit> before = at > 0 ? known.get(at - 1).code() : Optional.empty();
        if (window == 1) {
            return new FigureRow.Since(Optional.empty(), Instant.EPOCH, Optional.empty(), before);
        }
        Day first = known.get(at);
        return new FigureRow.Since(Optional.of(first.id()), first.at(), first.code(), before);
    }

    private static FigureRow unknown(Figure figure, double value) {
        return new FigureRow(
                figure.metric(),
                Optional.of(value),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Verdict.UNCLEAR,
                Optional.empty());
    }

    /// Returns the last days of a figure's level before the change.
    List<Day> levelBefore(FigureRow row) {
        Set<String> begun = begins.getOrDefault(row.metric().key(), Set.of());
        List<Day> level = new ArrayList<>();
        for (Day day : days.subList(0, firstChanged(row))) {
            if (begun.contains(day.id())) {
                level.clear();
            }
            level.add(day);
        }
        return level.subList(Math.max(0, level.size() - MAX_PROFILES), level.size());
    }

    /// Returns the days before today that already show the change.
    List<Day> changed(FigureRow row) {
        return days.subList(firstChanged(row), days.size());
    }

    private int firstChanged(FigureRow row) {
        List<String> ids = days.stream().map(Day::id).toList();
        return row.since()
                .flatMap(FigureRow.Since::run)
                .map(ids::indexOf)
                .filter(i -> i >= 0)
                .orElse(days.size());
    }

    /// The bottleneck that each of the last days has; empty if they differ.
    Optional<Bottleneck> usualBottleneck() {
        List<Bottleneck> named =
                days.stream()
                        .flatMap(d -> d.bottleneck().stream())
                        .filter(Past::isOfTheService)
                        .toList();
        if (named.size() < Guarded.MIN_DAYS) {
            return Optional.empty();
        }
        List<Bottleneck> last = named.subList(named.size() - Guarded.MIN_DAYS, named.size());
        return last.stream().distinct().count() == 1
                ? Optional.of(last.getFirst())
                : Optional.empty();
    }

    /// True if the share of failed requests is higher than on any earlier day. The result is false
    /// on the first days, because they only establish the usual share.
    boolean failsMore(double errorShare) {
        double max =
                days.stream()
                        .flatMap(d -> d.value(Metric.ERRORS).stream())
                        .mapToDouble(Double::doubleValue)
                        .max()
                        .orElse(0);
        return days.size() >= Guarded.MIN_DAYS && errorShare > max + MORE_ERRORS;
    }

    /// True if the bottleneck differs from the one on the days before.
    boolean isElsewhere(Bottleneck bottleneck) {
        return isOfTheService(bottleneck)
                && usualBottleneck().filter(u -> u != bottleneck).isPresent();
    }

    /// False for bottlenecks of the machine or the client: on a single day, they do not concern the
    /// service.
    private static boolean isOfTheService(Bottleneck bottleneck) {
        return !NOT_OF_THE_SERVICE.contains(bottleneck);
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElse(0);
    }

    /// One measurement of today.
    ///
    /// @param ns CPU time of a step of the reference loop, which is the same every day
    record Today(Map<Metric, Double> values, double ns) {
        Optional<Double> log(Figure figure) {
            return Optional.ofNullable(values.get(figure.metric()))
                    .filter(v -> v > 0)
                    .map(v -> figure.log(v, ns));
        }
    }

    /// A change that may have begun some days ago.
    ///
    /// @param mean mean of the values since then
    /// @param values number of values since then, including each measurement of today
    private record Candidate(Level level, int window, double mean, int values) {
        double by() {
            return mean - level.mean();
        }

        double p() {
            return level.p(mean, values);
        }

        boolean matters(Figure figure) {
            return Math.abs(by()) >= Math.log1p(figure.least());
        }

        /// True if the change began before today, and today alone shows it, too.
        boolean lasts(Figure figure, double[] today) {
            return window > 1 && isSeen(figure, Past.mean(today), today.length);
        }

        /// True if this many values with this mean alone show the change.
        private boolean isSeen(Figure figure, double log, int of) {
            var alone = new Candidate(level, 1, log, of);
            return alone.matters(figure) && alone.by() > 0 == by() > 0 && alone.p() <= SUSPECT;
        }
    }
}
