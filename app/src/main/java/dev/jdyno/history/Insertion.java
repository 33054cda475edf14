package dev.jdyno.history;

import dev.jdyno.measure.statistics.Interval;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/// How a result is put into the tables; each is a part of a transaction.
final class Insertion {
    private Insertion() {}

    /// Whether the same result is there: under its id, or under the shorter one that an earlier
    /// version gave it.
    static boolean isThere(Handle h, Entry e) {
        return h.createQuery(
                                "SELECT COUNT(*) FROM run WHERE id = :id OR (id = :short AND"
                                        + " kind = :kind AND plan = :plan AND at_ms = :at)")
                        .bind("id", e.id())
                        .bind("short", Ids.shorter(e.id()))
                        .bind("kind", e.kind().key())
                        .bind("plan", e.plan())
                        .bind("at", e.at().toEpochMilli())
                        .mapTo(Integer.class)
                        .one()
                > 0;
    }

    static void add(Handle h, Entry e) {
        addRun(h, e);
        addParts(h, e);
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

    private static void addRun(Handle h, Entry e) {
        h.createUpdate(
                        "INSERT INTO run (seq, id, kind, plan, label, at_ms, seconds, commit_hash, branch,"
                                + " host, cores, cpu, kernel, jdk, flags, verdict, bottleneck, valid, folder,"
                                + " command_line) VALUES ((SELECT COALESCE(MAX(seq), 0) + 1 FROM run),"
                                + " :id, :kind, :plan, :label, :at, :seconds,"
                                + " :commit, :branch, :host, :cores, :cpu, :kernel, :jdk, :flags,"
                                + " :verdict, :bottleneck, :valid, :folder, :commandLine)")
                .bind("id", e.id())
                .bind("kind", e.kind().key())
                .bind("plan", e.plan())
                .bind("label", e.label().orElse(null))
                .bind("at", e.at().toEpochMilli())
                .bind("seconds", e.seconds())
                .bind("commit", e.code().map(Commit::hash).orElse(null))
                .bind("branch", e.code().flatMap(Commit::branch).orElse(null))
                .bind("host", e.environment().host())
                .bind("cores", e.environment().cores())
                .bind("cpu", e.environment().cpu())
                .bind("kernel", e.environment().kernel())
                .bind("jdk", e.environment().jdk().orElse(null))
                .bind("flags", String.join("\n", e.environment().flags()))
                .bind("verdict", e.verdict())
                .bind("bottleneck", e.bottleneck().orElse(null))
                .bind("valid", e.valid() ? 1 : 0)
                .bind("folder", e.folder().orElse(null))
                .bind("commandLine", e.commandLine())
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
