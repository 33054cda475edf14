package dev.jdyno.report.json;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.jdyno.history.Entry;
import java.util.List;

/// The document `jdyno/history/1`. Its components are the documented keys, in their order
/// (docs/json.md).
public record HistoryForm(
        String schema,
        @JsonUnwrapped Entry.Row row,
        List<Entry.Figure> figures,
        List<Entry.Part> parts,
        List<Entry.Artifact> artifacts) {
    public static HistoryForm of(Entry e) {
        return new HistoryForm("jdyno/history/1", e.row(), e.figures(), e.parts(), e.artifacts());
    }

    /// Returns the JSON document `jdyno/history-list/1`.
    ///
    /// @param all number of all results
    public record Results(String schema, long all, List<HistoryForm> results) {
        public static Results of(List<Entry> entries, long all) {
            return new Results(
                    "jdyno/history-list/1", all, entries.stream().map(HistoryForm::of).toList());
        }
    }
}
