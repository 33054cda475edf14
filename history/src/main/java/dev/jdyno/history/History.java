package dev.jdyno.history;

import dev.jdyno.measure.text.Secrets;
import dev.jdyno.measure.text.UserError;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;

/// The stored results of one store. Each call is one transaction, so a result is stored completely
/// or not at all. Several processes may use a store at once.
///
/// All methods throw {@link UserError} of kind target if the store fails.
public final class History {
    private static final String RUN = "SELECT * FROM run";

    /// Maximum number of runs from which the drift of a figure is estimated.
    private static final int MAX_RUNS = 100;

    /// Maximum number of values in one statement; SQLite accepts 32,766.
    private static final int MAX_VALUES = 1000;

    private final Jdbi jdbi;
    private final String where;
    private final InstantSource clock;

    private History(Jdbi jdbi, String where, InstantSource clock) {
        this.jdbi = jdbi;
        this.where = where;
        this.clock = clock;
    }

    /// Opens a store, and creates its tables if they are missing.
    public static History open(Store store) {
        return open(store, InstantSource.system());
    }

    /// @param clock the present time; later results count as being from the future
    static History open(Store store, InstantSource clock) {
        return new History(
                Jdbi.create(Database.open(store)).installPlugin(new Columns()),
                where(store),
                clock);
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

    /// Stores a result. A result with the same id stays as it is, unless it is an unfinished part
    /// of this one ({@link UnfinishedResult}); its label and its acceptance are then kept.
    ///
    /// @return whether it was stored
    public boolean add(Entry e) {
        return add(e, List.of());
    }

    /// Stores a result with the changes that it reported: both or neither.
    public boolean add(Entry e, List<Reported> changes) {
        return change(h -> {
            List<Entry.Row> there = Insertion.there(h, e);
            if (!there.stream().allMatch(former -> UnfinishedResult.isPartOf(former, e.row()))) {
                return false;
            }
            Insertion.replace(h, there, e);
            Insertion.report(h, e.id(), changes);
            return true;
        });
    }

    /// A change of a figure that a guarded run reported.
    ///
    /// @param figure the figure's key
    /// @param since id of the first result with the change
    public record Reported(String figure, String since, double ratio) {
        /// @throws IllegalArgumentException if a value is missing or not finite
        public void requireStorable() {
            if (figure == null || since == null || !Double.isFinite(ratio)) {
                throw new IllegalArgumentException("a change that it reported is not whole");
            }
        }
    }

    private static List<List<String>> parts(List<String> ids) {
        return IntStream.iterate(0, from -> from < ids.size(), from -> from + MAX_VALUES)
                .mapToObj(from -> ids.subList(from, Math.min(ids.size(), from + MAX_VALUES)))
                .toList();
    }

    private long now() {
        return clock.instant().toEpochMilli();
    }

    /// Returns results whose time is in the future, the newest first: the clock of their machine
    /// was wrong. All orders of this class place such a result directly after those stored before
    /// it. By its own time, it would remain the newest.
    public List<Entry> fromTheFuture() {
        return read(h ->
                h.createQuery(RUN + " WHERE at_ms > :" + Order.NOW + Order.NEWEST_FIRST)
                        .bind(Order.NOW, now())
                        .mapTo(Entry.Row.class)
                        .map(History::bare)
                        .list());
    }

    /// Returns results with their figures, the newest first, without their parts and artifacts.
    public List<Entry> list(Filter wanted) {
        return read(h -> {
            var conditions = new Conditions(wanted);
            List<Entry> bare =
                    conditions
                            .bindTo(
                                    h.createQuery(
                                            RUN
                                                    + conditions.where()
                                                    + Order.NEWEST_FIRST
                                                    + conditions.limit()))
                            .bind(Order.NOW, now())
                            .mapTo(Entry.Row.class)
                            .map(History::bare)
                            .list();
            return bare.isEmpty() ? bare : withFigures(h, bare);
        });
    }

    private static Entry bare(Entry.Row row) {
        return new Entry(row, List.of(), List.of(), List.of());
    }

    private static List<Entry> withFigures(Handle h, List<Entry> bare) {
        List<String> ids = bare.stream().map(Entry::id).toList();
        Map<String, List<Entry.Figure>> figures = new LinkedHashMap<>();
        for (List<String> some : parts(ids)) {
            h.createQuery(
                            "SELECT run_id, name, unit, value, lo, hi FROM figure WHERE run_id IN"
                                    + " (<ids>) ORDER BY name")
                    .bindList("ids", some)
                    .map((row, _) -> Map.entry(row.getString("run_id"), Rows.figure(row)))
                    .forEach(f ->
                            figures.computeIfAbsent(f.getKey(), _ -> new ArrayList<>())
                                    .add(f.getValue()));
        }
        return bare.stream()
                .map(e -> e.with(figures.getOrDefault(e.id(), List.of()), List.of(), List.of()))
                .toList();
    }

    /// @param id a whole id, its beginning, or `latest`
    /// @throws UserError of kind usage if it matches no result or more than one
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

    private List<String> ids(Handle h, String id) {
        if (id.equals("latest")) {
            return h.createQuery("SELECT id FROM run" + Order.NEWEST_FIRST + " LIMIT 1")
                    .bind(Order.NOW, now())
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
                        .mapTo(Entry.Row.class)
                        .map(History::bare)
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

    /// Returns a figure of a plan's valid runs on one machine, the oldest first; limited to the
    /// newest runs.
    public List<Double> runsHere(String plan, Entry.Environment machine, String figure) {
        Filter wanted = Filter.ALL.ofPlan(plan).ofKind(Kind.RUN).newest(MAX_RUNS);
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

    /// Returns one figure of the results that have it, the oldest first.
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
                                                    + Order.NEWEST_FIRST
                                                    + conditions.limit()))
                            .bind("figure", figure)
                            .bind(Order.NOW, now())
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

    /// Returns the names of all plans with results, the plan with the newest result first.
    public List<String> plans() {
        return plans(Filter.ALL);
    }

    /// Returns the names of plans with matching results, the plan with the newest one first.
    public List<String> plans(Filter wanted) {
        return read(h -> {
            var conditions = new Conditions(wanted);
            return conditions
                    .bindTo(
                            h.createQuery(
                                    "SELECT plan FROM run"
                                            + conditions.where()
                                            + " GROUP BY plan ORDER BY MAX("
                                            + Order.TIME
                                            + ") DESC, MAX(seq) DESC"
                                            + conditions.limit()))
                    .bind(Order.NOW, now())
                    .mapTo(String.class)
                    .list();
        });
    }

    /// Returns the number of matching results.
    public long count(Filter wanted) {
        return read(h -> {
            var conditions = new Conditions(wanted);
            return conditions
                    .bindTo(h.createQuery("SELECT COUNT(*) FROM run" + conditions.where()))
                    .mapTo(Long.class)
                    .one();
        });
    }

    /// @param text the new label; empty to remove it
    public void label(String id, Optional<String> text) {
        String whole = entry(id).id();
        change(h -> Insertion.label(h, whole, text.map(Secrets::text)));
    }

    /// Returns the results that a retention rule allows to delete, the oldest first.
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

    /// Deletes results, but not their files.
    public void delete(List<String> ids) {
        if (!ids.isEmpty()) {
            change(h ->
                    parts(ids).stream()
                            .mapToInt(some ->
                                    h.createUpdate("DELETE FROM run WHERE id IN (<ids>)")
                                            .bindList("ids", some)
                                            .execute())
                            .sum());
        }
    }

    /// Starts the judgement of a plan anew: earlier results no longer count.
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

    /// Returns the accepted results of a plan, from which its judgement starts anew, the newest
    /// first.
    public List<Accepted> accepted(String plan) {
        return read(h ->
                h.createQuery(
                                "SELECT run_id, a.at_ms AS since_ms, reason FROM acceptance a JOIN"
                                        + " run ON id = run_id WHERE plan = :plan"
                                        + Order.NEWEST_FIRST)
                        .bind(Order.NOW, now())
                        .bind("plan", plan)
                        .map((row, _) ->
                                new Accepted(
                                        row.getString("run_id"),
                                        Instant.ofEpochMilli(row.getLong("since_ms")),
                                        row.getString("reason")))
                        .list());
    }

    /// @param id the first result of the new judgement
    public record Accepted(String id, Instant at, String reason) {}

    /// Returns the ids of the first results with a reported change, by figure.
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
