package dev.jdyno.report;

import dev.jdyno.history.Entry;
import dev.jdyno.report.json.JsonDocument;
import dev.jdyno.report.json.PairForm;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Two stored results side by side: their common figures, and the differences.
public record Pair(Entry a, Entry b) {
    /// Minimum difference of a part, as a share of the total.
    private static final double MIN_SHARE = 0.01;

    /// A figure or part that at least one of the two results has.
    ///
    /// @param a empty if A does not have it
    public record Row(String name, String unit, Optional<Double> a, Optional<Double> b) {
        /// B / A; empty unless both are above 0.
        public Optional<Double> ratio() {
            return a.filter(v -> v > 0).flatMap(of -> b.filter(v -> v > 0).map(to -> to / of));
        }

        double by() {
            return b.orElse(0.0) - a.orElse(0.0);
        }
    }

    public List<Row> figures() {
        Map<String, Row> rows = new LinkedHashMap<>();
        for (Entry.Figure f : a.figures()) {
            rows.put(
                    f.name(),
                    new Row(f.name(), f.unit(), Optional.of(f.value()), value(b, f.name())));
        }
        for (Entry.Figure f : b.figures()) {
            rows.putIfAbsent(
                    f.name(),
                    new Row(f.name(), f.unit(), Optional.empty(), Optional.of(f.value())));
        }
        return List.copyOf(rows.values());
    }

    private static Optional<Double> value(Entry of, String name) {
        return of.figure(name).map(Entry.Figure::value);
    }

    /// The parts of one kind that differ, the largest growth first.
    public List<Row> parts(Entry.PartKind kind) {
        Map<String, Row> rows = new LinkedHashMap<>();
        Map<String, Double> ofA = byName(a, kind);
        Map<String, Double> ofB = byName(b, kind);
        List<String> names = new ArrayList<>(ofA.keySet());
        ofB.keySet().stream().filter(n -> !ofA.containsKey(n)).forEach(names::add);
        double all = ofB.values().stream().mapToDouble(Double::doubleValue).sum();
        for (String name : names) {
            var row =
                    new Row(
                            name,
                            "ms",
                            Optional.ofNullable(ofA.get(name)),
                            Optional.ofNullable(ofB.get(name)));
            if (Math.abs(row.by()) >= MIN_SHARE * all) {
                rows.put(name, row);
            }
        }
        return rows.values().stream()
                .sorted(Comparator.comparingDouble(Row::by).reversed())
                .toList();
    }

    private static Map<String, Double> byName(Entry of, Entry.PartKind kind) {
        Map<String, Double> ms = new LinkedHashMap<>();
        of.parts().stream().filter(p -> p.kind() == kind).forEach(p -> ms.put(p.name(), p.ms()));
        return ms;
    }

    /// Returns the JSON document `jdyno/pair/1`.
    public String json() {
        return JsonDocument.line(
                new PairForm(
                        "jdyno/pair/1",
                        a,
                        b,
                        a.environment().isSameMachine(b.environment()),
                        figures().stream()
                                .map(r ->
                                        new PairForm.Figure(
                                                r.name(), r.a(), r.b(), r.ratio(), r.unit()))
                                .toList(),
                        formed(Entry.PartKind.CAUSE),
                        formed(Entry.PartKind.METHOD)));
    }

    private List<PairForm.Part> formed(Entry.PartKind kind) {
        return parts(kind).stream()
                .map(r -> new PairForm.Part(r.name(), r.a(), r.b(), r.ratio()))
                .toList();
    }
}
