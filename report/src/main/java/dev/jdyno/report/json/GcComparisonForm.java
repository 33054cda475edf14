package dev.jdyno.report.json;

import dev.jdyno.gclog.GcComparison;
import dev.jdyno.measure.load.Incomplete;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `jdyno/gc-compare/1`: two logs side by side, one row a figure.
record GcComparisonForm(
        String schema,
        String before,
        String after,
        List<Incomplete> incomplete,
        List<GcComparison.Row> rows,
        Map<String, List<String>> diagnoses) {
    static GcComparisonForm of(GcComparison compared) {
        return new GcComparisonForm(
                "jdyno/gc-compare/1",
                compared.before().source(),
                compared.after().source(),
                compared.incomplete(),
                compared.rows(),
                diagnoses(compared));
    }

    /// Ids of the diagnoses in three lists: only in the earlier log, in both, only in the later
    /// log.
    private static Map<String, List<String>> diagnoses(GcComparison compared) {
        Map<String, List<String>> ids = new LinkedHashMap<>();
        ids.put("gone", compared.gone());
        ids.put("stayed", compared.stayed());
        ids.put("new", compared.came());
        return ids;
    }
}
