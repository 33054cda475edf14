package dev.jdyno.guard;

import dev.jdyno.compare.Metric;
import dev.jdyno.history.Commit;
import dev.jdyno.history.Entry;
import dev.jdyno.history.EntryFixture;
import dev.jdyno.history.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// The days of a plan in sequence, as the guard processes them.
final class Calendar {
    private static final Instant FIRST = Instant.parse("2026-11-01T06:00:00Z");

    private final Supplier<Supplier<Past.Today>> service;
    private final List<Day> days = new ArrayList<>();
    private final Map<String, Set<String>> reported = new HashMap<>();

    /// @param service gives the measurements of each day
    Calendar(Supplier<Supplier<Past.Today>> service) {
        this.service = service;
    }

    List<Day> days() {
        return days;
    }

    /// Adds one day.
    ///
    /// @param factors by which figures of the service change
    /// @param machine factor by which the machine is slower that day
    /// @return the judgement of each figure
    List<FigureRow> next(Map<Metric, Double> factors, double machine) {
        Supplier<Past.Today> source = service.get();
        Supplier<Past.Today> day = () -> changed(source.get(), factors, machine);
        var past = new Past(days, reported);
        List<Past.Today> today = new ArrayList<>(List.of(day.get()));
        List<FigureRow> rows = judged(past, today);
        if (rows.stream().anyMatch(r -> r.verdict() == Verdict.SUSPECT)) {
            today.add(day.get());
            rows = judged(past, today);
        }
        Day stored = Day.of(entry(days.size(), figures(today)));
        days.add(stored);
        rows.forEach(r ->
                r.since()
                        .ifPresent(s ->
                                reported.computeIfAbsent(r.metric().key(), _ -> new HashSet<>())
                                        .add(s.run().orElse(stored.id()))));
        return rows;
    }

    private static Past.Today changed(
            Past.Today measured, Map<Metric, Double> factors, double machine) {
        Map<Metric, Double> values = new EnumMap<>(measured.values());
        for (Figure f : Figure.all(0.03)) {
            values.computeIfPresent(
                    f.metric(),
                    (metric, v) ->
                            v * factors.getOrDefault(metric, 1.0) * Math.pow(machine, f.machine()));
        }
        return new Past.Today(values, measured.ns() * machine);
    }

    private static List<FigureRow> judged(Past past, List<Past.Today> today) {
        return past.judge(Figure.all(0.03), today);
    }

    private static List<Entry.Figure> figures(List<Past.Today> today) {
        List<Entry.Figure> figures = new ArrayList<>();
        for (Metric m : today.getFirst().values().keySet()) {
            figures.add(
                    new Entry.Figure(
                            m.key(),
                            m.unit(),
                            today.stream()
                                    .mapToDouble(t -> t.values().getOrDefault(m, 0.0))
                                    .average()
                                    .orElseThrow(),
                            Optional.empty()));
        }
        double ns = today.stream().mapToDouble(Past.Today::ns).average().orElseThrow();
        figures.add(new Entry.Figure(Day.MACHINE, "ns", ns, Optional.empty()));
        return figures;
    }

    static List<Metric> worse(List<FigureRow> rows) {
        return rows.stream()
                .filter(r -> r.verdict() == Verdict.WORSE)
                .map(FigureRow::metric)
                .toList();
    }

    private static Entry entry(int day, List<Entry.Figure> figures) {
        return new EntryFixture("day-" + day, Kind.GUARD, "shop", FIRST.plus(Duration.ofDays(day)))
                .code(Optional.of(new Commit(String.format("%040x", day), Optional.of("main"))))
                .environment(
                        new Entry.Environment(
                                "host", 2, "cpu", "Linux", Optional.of("25"), List.of()))
                .commandLine("jdyno guard shop.yaml")
                .figures(figures)
                .entry();
    }
}
