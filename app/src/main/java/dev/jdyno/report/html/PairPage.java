package dev.jdyno.report.html;

import dev.jdyno.history.Entry;
import dev.jdyno.report.HistoryReport;
import dev.jdyno.report.words.CompareText;
import dev.jdyno.report.words.Figures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Two stored results side by side.
///
/// @param version of jdyno
public record PairPage(Entry a, Entry b, String version) {
    /// Parts with less difference than this share of all are left out.
    private static final double LEAST_SHARE = 0.01;

    /// A figure or part that at least one of them has.
    ///
    /// @param a empty where A has none
    public record Row(String name, String unit, Optional<Double> a, Optional<Double> b) {
        public String ratio() {
            return a.filter(v -> v > 0)
                    .flatMap(of -> b.map(to -> "× " + CompareText.ratio(to / of)))
                    .orElse("");
        }

        public String text(Optional<Double> value) {
            return value.map(Figures::number).orElse("");
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
            if (Math.abs(row.by()) >= LEAST_SHARE * all) {
                rows.put(name, row);
            }
        }
        return rows.values().stream()
                .sorted(Comparator.comparingDouble(Row::by).reversed())
                .toList();
    }

    public List<Row> causes() {
        return parts(Entry.PartKind.CAUSE);
    }

    public List<Row> methods() {
        return parts(Entry.PartKind.METHOD);
    }

    private static Map<String, Double> byName(Entry of, Entry.PartKind kind) {
        Map<String, Double> ms = new LinkedHashMap<>();
        of.parts().stream().filter(p -> p.kind() == kind).forEach(p -> ms.put(p.name(), p.ms()));
        return ms;
    }

    public String time(Entry e) {
        return HistoryReport.time(e.at());
    }
}
