package dev.jdyno.report.html;

import dev.jdyno.history.Commit;
import dev.jdyno.history.Entry;
import dev.jdyno.report.HistoryReport;
import dev.jdyno.report.words.Figures;
import java.util.List;

/// A table of stored results, each with a checkbox.
///
/// @param entries the newest first
public record ResultRows(List<Entry> entries) {
    public ResultRows {
        entries = List.copyOf(entries);
    }

    public String time(Entry e) {
        return HistoryReport.time(e.at());
    }

    /// A figure as a cell; empty if the result does not have it.
    public String figure(Entry e, String name) {
        return e.figure(name)
                .map(f -> (f.unit().equals("ratio") ? "× " : "") + Figures.number(f.value()))
                .orElse("");
    }

    public String commit(Entry e) {
        return e.code().map(Commit::shortHash).orElse("");
    }

    public String trend(Entry e) {
        return "trend?plan=" + HistoryPage.encoded(e.plan());
    }
}
