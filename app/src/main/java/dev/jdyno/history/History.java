package dev.jdyno.history;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.UserError;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.PreparedBatch;

/// The stored results of one store. Each call is one transaction: a result is stored as a whole or
/// not at all. Several processes may use a store at once.
///
/// All methods throw {@link UserError} of kind target when the store fails.
public final class History {
    private static final String RUN =
            "SELECT id, kind, plan, label, at_ms, seconds, commit_hash, branch, host, cores, cpu,"
                    + " kernel, jdk, flags, verdict, bottleneck, valid, folder, command_line FROM run";

    /// Runs that say how much a figure drifts.
    private static final int MOST_RUNS = 100;

    private final Jdbi jdbi;
    private final String where;

    private History(Jdbi jdbi, String where) {
        this.jdbi = jdbi;
        this.where = where;
    }

    /// Opens a store, and makes its tables where they are missing.
    public static History open(Store store) {
        return new History(Jdbi.create(Database.open(store)), where(store));
    }

    private static String where(Store store) {
        return switch (store) {
            case Store.File(var path) -> path.toString();
            case Store.Server server -> server.url();
        };
    }

    /// The store's path or URL, without a password.
    public String where() {
        return where;
    }

    private <T> T read(HandleCallback<T, RuntimeException> asking) {
        try {
            return jdbi.withHandle(asking);
        } catch (JdbiException failed) {
            throw failure(failed);
        }
    }

    private <T> T change(HandleCallback<T, RuntimeException> changing) {
        try {
            return jdbi.inTransaction(changing);
        } catch (JdbiException failed) {
            throw failure(failed);
        }
    }

    private UserError failure(JdbiException failed) {
        Throwable cause = failed.getCause() == null ? failed : failed.getCause();
        return UserError.target(
                        "the history " + where + " failed",
                        String.valueOf(cause.getMessage()),
                        "what was stored before is still there; free space, or give --store"
                                + " another place")
                .causedBy(failed);
    }

    /// Stores a result; one with the same id stays as it is.
    ///
    /// @return whether it was new
    public boolean add(Entry e) {
        return change(h -> {
            boolean known =
                    h.createQuery("SELECT COUNT(*) FROM run WHERE id = :id")
                                    .bind("id", e.id())
                                    .mapTo(Integer.class)
                                    .one()
                            > 0;
            if (known) {
                return false;
            }
            addRun(h, e);
            addParts(h, e);
            return true;
        });
    }

    private static void addRun(Handle h, Entry e) {
        h.createUpdate(
                        "INSERT INTO run (id, kind, plan, label, at_ms, seconds, commit_hash, branch,"
                                + " host, cores, cpu, kernel, jdk, flags, verdict, bottleneck, valid, folder,"
                                + " command_line) VALUES (:id, :kind, :plan, :label, :at, :seconds,"
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
        for (PreparedBatch batch : List.of(figures, parts, files)) {
            if (batch.size() > 0) {
                batch.execute();
            }
        }
    }

    /// The newest first, without their artifacts; figures and parts are there.
    public List<Entry> list(Filter wanted) {
        return read(h -> {
            var conditions = new Conditions(wanted);
            List<Entry> bare =
                    conditions
                            .bindTo(
                                    h.createQuery(
                                            RUN
                                                    + conditions.where()
                                                    + " ORDER BY at_ms DESC, id DESC"
                                                    + conditions.limit()))
                            .map((row, _) -> Rows.entry(row))
                            .list();
            return bare.isEmpty() ? bare : withFigures(h, bare);
        });
    }

    private static List<Entry> withFigures(Handle h, List<Entry> bare) {
        List<String> ids = bare.stream().map(Entry::id).toList();
        Map<String, List<Entry.Figure>> figures = new LinkedHashMap<>();
        h.createQuery(
                        "SELECT run_id, name, unit, value, lo, hi FROM figure WHERE run_id IN"
                                + " (<ids>) ORDER BY name")
                .bindList("ids", ids)
                .map((row, _) -> Map.entry(row.getString("run_id"), Rows.figure(row)))
                .forEach(f ->
                        figures.computeIfAbsent(f.getKey(), _ -> new ArrayList<>())
                                .add(f.getValue()));
        return bare.stream()
                .map(e -> e.with(figures.getOrDefault(e.id(), List.of()), List.of(), List.of()))
                .toList();
    }

    /// @param id the whole of it, its beginning, or `latest`
    /// @throws UserError of kind usage when none, or more than one, is meant
    public Entry entry(String id) {
        Optional<Entry> found =
                read(h -> {
                    List<String> ids = ids(h, id);
                    if (ids.size() > 1) {
                        throw UserError.usage(
                                id + " is the beginning of several results",
                                "they are " + String.join(", ", ids),
                                "give more of its id");
                    }
                    return ids.isEmpty() ? Optional.empty() : Optional.of(whole(h, ids.getFirst()));
                });
        return found.orElseThrow(() ->
                UserError.usage(
                        "there is no stored result " + id,
                        "the history is " + where,
                        "jdyno history lists what there is"));
    }

    private static List<String> ids(Handle h, String id) {
        if (id.equals("latest")) {
            return h.createQuery("SELECT id FROM run ORDER BY at_ms DESC, id DESC LIMIT 1")
                    .mapTo(String.class)
                    .list();
        }
        return h.createQuery("SELECT id FROM run WHERE substr(id, 1, :n) = :id ORDER BY id LIMIT 5")
                .bind("n", id.length())
                .bind("id", id)
                .mapTo(String.class)
                .list();
    }

    private static Entry whole(Handle h, String id) {
        Entry bare =
                h.createQuery(RUN + " WHERE id = :id")
                        .bind("id", id)
                        .map((row, _) -> Rows.entry(row))
                        .one();
        List<Entry.Figure> figures =
                h.createQuery(
                                "SELECT name, unit, value, lo, hi FROM figure WHERE run_id = :id"
                                        + " ORDER BY name")
                        .bind("id", id)
                        .map((row, _) -> Rows.figure(row))
                        .list();
        List<Entry.Part> parts =
                h.createQuery(
                                "SELECT kind, name, ms, samples FROM part WHERE run_id = :id"
                                        + " ORDER BY kind, ms DESC, name")
                        .bind("id", id)
                        .map((row, _) -> Rows.part(row))
                        .list();
        List<Entry.Artifact> files =
                h.createQuery(
                                "SELECT path, bytes, sha256 FROM artifact WHERE run_id = :id"
                                        + " ORDER BY path")
                        .bind("id", id)
                        .map((row, _) ->
                                new Entry.Artifact(
                                        row.getString("path"),
                                        row.getLong("bytes"),
                                        row.getString("sha256")))
                        .list();
        return bare.with(figures, parts, files);
    }

    /// A figure of the valid runs of a plan on one machine, the oldest first; of many the newest.
    public List<Double> runsHere(String plan, Entry.Environment machine, String figure) {
        Filter wanted = Filter.ALL.ofPlan(plan).ofKind(Kind.RUN).newest(MOST_RUNS);
        Set<String> here =
                list(wanted).stream()
                        .filter(Entry::valid)
                        .filter(e -> e.environment().isSameMachine(machine))
                        .map(Entry::id)
                        .collect(Collectors.toSet());
        return series(wanted, figure).stream()
                .filter(p -> here.contains(p.id()))
                .map(Point::value)
                .toList();
    }

    /// One figure of the results that have it, the oldest first.
    public List<Point> series(Filter wanted, String figure) {
        return read(h -> {
            var conditions = new Conditions(wanted);
            List<Point> newestFirst =
                    conditions
                            .bindTo(
                                    h.createQuery(
                                            "SELECT id, at_ms, commit_hash, value, lo, hi FROM run"
                                                    + " JOIN figure ON run_id = id AND name ="
                                                    + " :figure"
                                                    + conditions.where()
                                                    + " ORDER BY at_ms DESC, id DESC"
                                                    + conditions.limit()))
                            .bind("figure", figure)
                            .map((row, _) ->
                                    new Point(
                                            row.getString("id"),
                                            Instant.ofEpochMilli(row.getLong("at_ms")),
                                            Optional.ofNullable(row.getString("commit_hash")),
                                            row.getDouble("value"),
                                            Rows.interval(row)))
                            .list();
            return newestFirst.reversed();
        });
    }

    /// Names of the plans that have results, the one with the newest first.
    public List<String> plans() {
        return read(h ->
                h.createQuery("SELECT plan FROM run GROUP BY plan ORDER BY MAX(at_ms) DESC")
                        .mapTo(String.class)
                        .list());
    }

    /// How many results there are.
    public long count(Filter wanted) {
        return read(h -> {
            var conditions = new Conditions(wanted);
            return conditions
                    .bindTo(h.createQuery("SELECT COUNT(*) FROM run" + conditions.where()))
                    .mapTo(Long.class)
                    .one();
        });
    }

    /// @param text empty to take it away
    public void label(String id, Optional<String> text) {
        Entry labelled = entry(id).labelled(text);
        change(h ->
                h.createUpdate("UPDATE run SET label = :label WHERE id = :id")
                        .bind("label", labelled.label().orElse(null))
                        .bind("id", labelled.id())
                        .execute());
    }

    /// The results that a rule lets go, the oldest first.
    public List<Entry> beyond(Keeping rule) {
        Map<String, Integer> newer = new LinkedHashMap<>();
        List<String> accepted = read(h -> acceptedIds(h));
        return list(Filter.ALL).stream()
                .filter(e -> {
                    int rank = newer.merge(e.kind() + "\n" + e.plan(), 1, Integer::sum);
                    boolean old = rule.notBefore().filter(t -> !e.at().isBefore(t)).isEmpty();
                    boolean many = rule.newest().filter(n -> rank <= n).isEmpty();
                    return (rule.notBefore().isEmpty() || old)
                            && (rule.newest().isEmpty() || many)
                            && e.label().isEmpty()
                            && !accepted.contains(e.id());
                })
                .toList()
                .reversed();
    }

    private static List<String> acceptedIds(Handle h) {
        return h.createQuery("SELECT run_id FROM acceptance").mapTo(String.class).list();
    }

    /// Deletes results, not their files.
    public void delete(List<String> ids) {
        if (!ids.isEmpty()) {
            change(h ->
                    h.createUpdate("DELETE FROM run WHERE id IN (<ids>)")
                            .bindList("ids", ids)
                            .execute());
        }
    }

    /// Judges a plan anew from this result on.
    public void accept(String id, Instant at, String reason) {
        String whole = entry(id).id();
        change(h -> {
            h.createUpdate("DELETE FROM acceptance WHERE run_id = :id").bind("id", whole).execute();
            return h.createUpdate(
                            "INSERT INTO acceptance (run_id, at_ms, reason)"
                                    + " VALUES (:id, :at, :reason)")
                    .bind("id", whole)
                    .bind("at", at.toEpochMilli())
                    .bind("reason", reason)
                    .execute();
        });
    }

    /// The results of a plan from which on it is judged anew, and why; the newest first.
    public List<Accepted> accepted(String plan) {
        return read(h ->
                h.createQuery(
                                "SELECT run_id, a.at_ms AS since_ms, reason FROM acceptance a JOIN"
                                        + " run ON id = run_id WHERE plan = :plan ORDER BY"
                                        + " run.at_ms DESC, run_id DESC")
                        .bind("plan", plan)
                        .map((row, _) ->
                                new Accepted(
                                        row.getString("run_id"),
                                        Instant.ofEpochMilli(row.getLong("since_ms")),
                                        row.getString("reason")))
                        .list());
    }

    /// @param id from this result on
    public record Accepted(String id, Instant at, String reason) {}

    /// Remembers that a change was reported.
    ///
    /// @param id of the result that reported it
    /// @param since id of the first result with the change
    public void reported(String id, String figure, String since, double ratio) {
        change(h ->
                h.createUpdate(
                                "INSERT INTO reported (run_id, figure, since, ratio)"
                                        + " VALUES (:id, :figure, :since, :ratio)")
                        .bind("id", id)
                        .bind("figure", figure)
                        .bind("since", since)
                        .bind("ratio", ratio)
                        .execute());
    }

    /// Ids of the first results with a change that was reported, by figure.
    public Map<String, Set<String>> reported(String plan) {
        return read(h ->
                h.createQuery(
                                "SELECT figure, since FROM reported JOIN run ON id = run_id WHERE"
                                        + " plan = :plan")
                        .bind("plan", plan)
                        .map((row, _) -> Map.entry(row.getString("figure"), row.getString("since")))
                        .collect(
                                Collectors.groupingBy(
                                        Map.Entry::getKey,
                                        Collectors.mapping(
                                                Map.Entry::getValue, Collectors.toSet()))));
    }
}
