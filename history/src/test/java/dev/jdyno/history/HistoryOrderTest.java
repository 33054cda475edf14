package dev.jdyno.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jdyno.measure.text.UserError;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which stored result is the newest, and how many results the store can hold.
class HistoryOrderTest {
    private static final int YEAR_2099 = 26_400;

    @TempDir private Path folder;

    private final InstantSource now = InstantSource.fixed(Instant.parse("2026-12-01T00:00:00Z"));

    private Store store() {
        return new Store.File(folder.resolve("history.db"));
    }

    private static Entry day(int day) {
        return HistoryTest.entry("shop", day, day);
    }

    private static void wrongClockIsNotTheNewest(History history) {
        history.add(day(1));
        history.add(day(YEAR_2099));
        history.add(day(YEAR_2099 + 1));
        assertThat(history.entry("latest")).isEqualTo(day(YEAR_2099 + 1));
        history.add(day(3));
        history.add(HistoryTest.entry("other", 4, 1));
        history.add(day(2)); // imported later

        assertThat(history.entry("latest").plan()).isEqualTo("other");
        assertThat(history.list(Filter.ALL.ofPlan("shop")))
                .extracting(Entry::id)
                .containsExactly(
                        day(3).id(),
                        day(2).id(),
                        day(YEAR_2099 + 1).id(),
                        day(YEAR_2099).id(),
                        day(1).id());
        assertThat(history.series(Filter.ALL.ofPlan("shop").newest(2), "qps"))
                .extracting(Point::value)
                .containsExactly(2.0, 3.0);
        assertThat(history.plans()).containsExactly("other", "shop");
        assertThat(history.fromTheFuture())
                .extracting(Entry::id)
                .containsExactly(day(YEAR_2099 + 1).id(), day(YEAR_2099).id());
        assertThat(history.beyond(new Keeping(Optional.of(2), Optional.empty())))
                .extracting(Entry::id)
                .containsExactly(day(1).id(), day(YEAR_2099).id(), day(YEAR_2099 + 1).id());
    }

    @Test
    void wrongClockDoesNotStayNewestInFile() {
        wrongClockIsNotTheNewest(History.open(store(), now));
    }

    @Test
    void wrongClockDoesNotStayNewestInPostgres() throws Exception {
        Optional<PostgresServer> postgres = PostgresServer.start();
        assumeTrue(postgres.isPresent(), "SKIPPED: PostgreSQL is not installed");
        try (PostgresServer server = postgres.orElseThrow()) {
            Store store = Store.parse(server.url(), Optional.empty());
            String url = "jdbc:" + server.url().replace("jdyno@", "") + "?user=jdyno";
            former(DriverManager.getConnection(url), url);
            History history = History.open(store, now);
            upgraded(history);
            history.delete(history.list(Filter.ALL).stream().map(Entry::id).toList());
            wrongClockIsNotTheNewest(history);
        }
    }

    @Test
    void tablesOfTheFormerVersionAreOrderedByTime() throws Exception {
        String url = "jdbc:sqlite:" + folder.resolve("history.db");
        former(DriverManager.getConnection(url), url);

        upgraded(History.open(store(), now));
    }

    /// Creates a database of store version 1.
    private static void former(Connection connection, String url) throws Exception {
        Flyway.configure(Database.class.getClassLoader())
                .dataSource(url, null, null)
                .locations("classpath:dev/jdyno/history/migration")
                .target("1")
                .load()
                .migrate();
        try (connection;
                Statement statement = connection.createStatement()) {
            for (int day : List.of(2, 0, 1)) {
                Entry e = day(day);
                statement.executeUpdate(
                        "INSERT INTO run (id, kind, plan, at_ms, seconds, host, cores, cpu, kernel,"
                                + " flags, verdict, valid, command_line) VALUES ('"
                                + Ids.shorter(e.id())
                                + "', 'run', 'shop', "
                                + e.at().toEpochMilli()
                                + ", 1, 'h', 1, 'c', 'k', '', 'lock', 1, 'x')");
            }
        }
    }

    private static void upgraded(History history) {
        assertThat(history.list(Filter.ALL))
                .extracting(Entry::at)
                .containsExactly(day(2).at(), day(1).at(), day(0).at());
        assertThat(history.add(day(1))).as("the same, under its former id").isFalse();
        assertThat(history.add(day(5))).isTrue();
        assertThat(history.entry("latest")).isEqualTo(day(5));
    }

    /// SQLite allows 32,766 values in one statement.
    @Test
    void readsMoreResultsThanOneStatementHasValues() throws Exception {
        History history = History.open(store(), now);
        history.add(day(0));
        try (Connection connection =
                        DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("history.db"));
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <"
                            + " 33000) INSERT INTO run SELECT 'x' || i, kind, plan, label, at_ms -"
                            + " i, seconds, commit_hash, branch, host, cores, cpu, kernel, jdk,"
                            + " flags, verdict, bottleneck, valid, folder, command_line, -i FROM"
                            + " run, n");
        }

        List<Entry> all = history.list(Filter.ALL);
        assertThat(all).hasSize(33_001);
        assertThat(all.getFirst().figures()).hasSize(2);
        List<Entry> old = history.beyond(new Keeping(Optional.of(1), Optional.empty()));
        history.delete(old.stream().map(Entry::id).toList());
        assertThat(history.count(Filter.ALL)).isEqualTo(1);
    }

    /// With ids of 16 random bits, two of 300 results of one second were equal in half of the
    /// cases.
    @Test
    void manyResultsOfOneSecondAreAllKept() {
        Set<String> ids = new HashSet<>();
        IntStream.range(0, 1000)
                .forEach(i ->
                        ids.add(
                                Ids.of(
                                        Kind.RUN,
                                        Instant.parse("2026-11-01T08:00:00Z").plusMillis(i),
                                        "shop",
                                        Optional.empty())));

        assertThat(ids).hasSize(1000);
    }

    /// If a result were stored without its reported changes, the guard would report them again each
    /// day.
    @Test
    void aResultIsStoredWithItsChangesOrNotAtAll() {
        History history = History.open(store(), now);
        var change = new History.Reported("qps", day(0).id(), 0.9);
        List<History.Reported> twice = new ArrayList<>(List.of(change, change));

        assertThatThrownBy(() -> history.add(day(0), twice)).isInstanceOf(UserError.class);

        assertThat(history.count(Filter.ALL)).isZero();
        assertThat(history.add(day(0), List.of(change))).isTrue();
        assertThat(history.reported("shop")).isEqualTo(Map.of("qps", Set.of(day(0).id())));
    }
}
