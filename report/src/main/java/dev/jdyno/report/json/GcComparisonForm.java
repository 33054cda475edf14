package dev.jdyno.report.json;

import dev.jdyno.gclog.GcComparison;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// `jdyno/gc-compare/1`: two logs side by side, one row a figure.
record GcComparisonForm(
        String schema,
        String before,
        String after,
        List<GcForm.Part> incomplete,
        List<Row> rows,
        Map<String, List<String>> diagnoses) {
    static GcComparisonForm of(GcComparison compared) {
        return new GcComparisonForm(
                "jdyno/gc-compare/1",
                compared.before().source(),
                compared.after().source(),
                compared.incomplete().stream().map(GcForm.Part::of).toList(),
                compared.rows().stream().map(Row::of).toList(),
                diagnoses(compared));
    }

    /// Ids of what is diagnosed: only before, in both, only after.
    private static Map<String, List<String>> diagnoses(GcComparison compared) {
        Map<String, List<String>> ids = new LinkedHashMap<>();
        ids.put("gone", compared.gone());
        ids.put("stayed", compared.stayed());
        ids.put("new", compared.came());
        return ids;
    }

    record Row(
            String name,
            String unit,
            Optional<Double> before,
            Optional<Double> after,
            Optional<Double> ratio) {
        private static Row of(GcComparison.Row row) {
            return new Row(row.key(), row.unit().key(), row.before(), row.after(), row.ratio());
        }
    }
}
