package dev.jdyno.history;

import dev.jdyno.measure.statistics.Interval;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/// Statements that store a result; each runs as part of a transaction.
final class Insertion {
    private Insertion() {}

    /// Returns the stored rows of the same result: under its id, or under the shorter id of an
    /// earlier version.
    static List<Entry.Row> there(Handle h, Entry e) {
        return h.createQuery(
                        "SELECT * FROM run WHERE id = :id OR (id = :short AND"
                                + " kind = :kind AND plan = :plan AND at_ms = :at)")
                .bind("id", e.id())
                .bind("short", Ids.shorter(e.id()))
                .bind("kind", e.kind().key())
                .bind("plan", e.plan())
                .bind("at", e.at().toEpochMilli())
                .mapTo(Entry.Row.class)
                .list();
    }

    /// Replaces the unfinished parts of a result by the result; the user's label and acceptance are
    /// kept.
    static void replace(Handle h, List<Entry.Row> former, Entry e) {
        List<Accepted> accepted =
                former.stream().flatMap(f -> accepted(h, f.id()).stream()).toList();
        former.forEach(
                f -> h.createUpdate("DELETE FROM run WHERE id = :id").bind("id", f.id()).execute());
        addRun(h, e.row());
        if (e.label().isEmpty()) {
            former.stream()
                    .flatMap(f -> f.label().stream())
                    .findFirst()
                    .ifPresent(text -> label(h, e.id(), Optional.of(text)));
        }
        addParts(h, e);
        accepted.stream()
                .limit(1)
                .forEach(a ->
                        h.createUpdate(
                                        "INSERT INTO acceptance (run_id, at_ms, reason)"
                                                + " VALUES (:id, :at, :reason)")
                                .bind("id", e.id())
                                .bind("at", a.atMs())
                                .bind("reason", a.reason())
                                .execute());
    }

    private record Accepted(long atMs, String reason) {}

    private static List<Accepted> accepted(Handle h, String id) {
        return h.createQuery("SELECT at_ms, reason FROM acceptance WHERE run_id = :id")
                .bind("id", id)
                .map((row, _) -> new Accepted(row.getLong("at_ms"), row.getString("reason")))
                .list();
    }

    static void report(Handle h, String id, List<History.Reported> changes) {
        PreparedBatch batch =
                h.prepareBatch(
                        "INSERT INTO reported (run_id, figure, since, ratio)"
                                + " VALUES (:id, :figure, :since, :ratio)");
        changes.forEach(c ->
                batch.bind("id", id)
                        .bind("figure", c.figure())
                        .bind("since", c.since())
                        .bind("ratio", c.ratio())
                        .add());
        execute(List.of(batch));
    }

    private static void addRun(Handle h, Entry.Row row) {
        Columns.bind(
                        h.createUpdate(
                                "INSERT INTO run (seq, <columns>) VALUES ((SELECT"
                                        + " COALESCE(MAX(seq), 0) + 1 FROM run), <values>)"),
                        row)
                .execute();
    }

    /// @param text the new label; empty to remove it
    static int label(Handle h, String id, Optional<String> text) {
        return h.createUpdate("UPDATE run SET label = :label WHERE id = :id")
                .bind("label", text.orElse(null))
                .bind("id", id)
                .execute();
    }

    private static void addParts(Handle h, Entry e) {
        PreparedBatch figures =
                h.prepareBatch(
                        "INSERT INTO figure (run_id, name, unit, value, lo, hi)"
                                + " VALUES (:id, :name, :unit, :value, :lo, :hi)");
        e.figures()
                .forEach(f ->
                        figures.bind("id", e.id())
                                .bind("name", f.name())
                                .bind("unit", f.unit())
                                .bind("value", f.value())
                                .bind("lo", f.ci95().map(Interval::lo).orElse(null))
                                .bind("hi", f.ci95().map(Interval::hi).orElse(null))
                                .add());
        PreparedBatch parts =
                h.prepareBatch(
                        "INSERT INTO part (run_id, kind, name, ms, samples)"
                                + " VALUES (:id, :kind, :name, :ms, :samples)");
        e.parts()
                .forEach(p ->
                        parts.bind("id", e.id())
                                .bind("kind", p.kind().key())
                                .bind("name", p.name())
                                .bind("ms", p.ms())
                                .bind("samples", p.samples())
                                .add());
        PreparedBatch files =
                h.prepareBatch(
                        "INSERT INTO artifact (run_id, path, bytes, sha256)"
                                + " VALUES (:id, :path, :bytes, :sha256)");
        e.artifacts()
                .forEach(a ->
                        files.bind("id", e.id())
                                .bind("path", a.path())
                                .bind("bytes", a.bytes())
                                .bind("sha256", a.sha256())
                                .add());
        execute(List.of(figures, parts, files));
    }

    private static void execute(List<PreparedBatch> batches) {
        for (PreparedBatch batch : batches) {
            if (batch.size() > 0) {
                batch.execute();
            }
        }
    }
}
