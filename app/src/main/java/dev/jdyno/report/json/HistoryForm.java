package dev.jdyno.report.json;

import dev.jdyno.history.Commit;
import dev.jdyno.history.Entry;
import dev.jdyno.history.Kind;
import dev.jdyno.measure.verdict.Bottleneck;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// `jdyno/history/1`: its components are the keys of the contract, in their order.
public record HistoryForm(
        String schema,
        String id,
        Kind verb,
        String plan,
        Optional<String> label,
        Instant at,
        double seconds,
        Optional<String> commit,
        Optional<String> branch,
        Entry.Environment environment,
        String verdict,
        Optional<Bottleneck> bottleneck,
        boolean valid,
        Optional<String> folder,
        String commandLine,
        List<Entry.Figure> figures,
        List<Entry.Part> parts,
        List<Entry.Artifact> artifacts) {
    public static HistoryForm of(Entry e) {
        return new HistoryForm(
                "jdyno/history/1",
                e.id(),
                e.kind(),
                e.plan(),
                e.label(),
                e.at(),
                e.seconds(),
                e.code().map(Commit::hash),
                e.code().flatMap(Commit::branch),
                e.environment(),
                e.verdict(),
                e.bottleneck(),
                e.valid(),
                e.folder(),
                e.commandLine(),
                e.figures(),
                e.parts(),
                e.artifacts());
    }

    /// `jdyno/history-list/1`.
    ///
    /// @param all how many there are
    public record Results(String schema, long all, List<HistoryForm> results) {
        public static Results of(List<Entry> entries, long all) {
            return new Results(
                    "jdyno/history-list/1", all, entries.stream().map(HistoryForm::of).toList());
        }
    }
}
