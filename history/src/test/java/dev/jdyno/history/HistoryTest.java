package dev.jdyno.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Bottleneck;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests that hold for both stores, and after them tests of one store.
class HistoryTest {
    private static final Instant DAY = Instant.parse("2026-11-01T08:00:00Z");

    @TempDir private Path folder;

    /// An SQLite store in a file.
    private History file() {
        return History.open(new Store.File(folder.resolve("history.db")));
    }

    static Entry entry(String plan, int day, double qps) {
        Instant at = DAY.plus(Duration.ofDays(day));
        return new EntryFixture(Ids.of(Kind.RUN, at, plan, Optional.empty()), Kind.RUN, plan, at)
                .seconds(12.5)
                .code(
                        Optional.of(
                                new Commit(
                                        "0123456789abcdef0123456789abcdef01234567",
                                        Optional.of("main"))))
                .environment(
                        new Entry.Environment(
                                "host",
                                2,
                                "cpu",
                                "Linux 6",
                                Optional.of("25"),
                                List.of("-Xmx1g", "-XX:+UseG1GC")))
                .verdict("lock")
                .bottleneck(Optional.of(Bottleneck.LOCK))
                .folder(Optional.of("/out/" + day))
                .commandLine("jdyno run plan.yaml")
                .figures(
                        List.of(
                                new Entry.Figure("cpuMsPerRequest", "ms", 2.5, Optional.empty()),
                                new Entry.Figure(
                                        "qps",
                                        "requests/s",
                                        qps,
                                        Optional.of(new Interval(qps - 1, qps + 1)))))
                .parts(
                        List.of(
                                new Entry.Part(Entry.PartKind.CAUSE, "lock", 4, 0),
                                new Entry.Part(
                                        Entry.PartKind.METHOD, "com.acme.Shop.price", 1.5, 120)))
                .artifacts(List.of(new Entry.Artifact("result.json", 1000, "ab")))
                .entry();
    }

    private static void keepsGivenEntries(History history) {
        for (int day = 0; day < 5; day++) {
            assertThat(history.add(entry("shop", day, 100 + day))).isTrue();
        }
        history.add(entry("other", 9, 7));
        Entry third = entry("shop", 2, 102);
        assertThat(history.add(third)).as("stored twice").isFalse();
        assertThat(history.entry(third.id())).isEqualTo(third);
        assertThat(history.entry("20261103")).isEqualTo(third);
        assertThat(history.entry("latest").plan()).isEqualTo("other");
        assertThat(history.count(Filter.ALL)).isEqualTo(6);
        assertThat(history.plans()).containsExactly("other", "shop");
        assertThat(history.list(Filter.ALL.ofPlan("shop").newest(2)))
                .extracting(e -> e.figure("qps").orElseThrow().value())
                .containsExactly(104.0, 103.0);
        assertThat(history.list(Filter.ALL.ofKind(Kind.TUNE))).isEmpty();
        assertThat(history.count(Filter.ALL.ofKinds(List.of(Kind.TUNE, Kind.RUN)))).isEqualTo(6);
        assertThat(history.plans(Filter.ALL.containing("HO"))).containsExactly("shop");
        assertThat(history.count(Filter.ALL.containing(third.verdict()))).isEqualTo(6);
        assertThat(history.plans(Filter.ALL.containing("s_op"))).as("no pattern").isEmpty();
        assertThat(history.plans(Filter.ALL.containing("%"))).isEmpty();
        assertThat(history.series(Filter.ALL.ofPlan("shop"), "qps"))
                .extracting(Point::value)
                .containsExactly(100.0, 101.0, 102.0, 103.0, 104.0);
        assertThat(history.series(Filter.ALL.ofPlan("shop").newest(1), "qps").getFirst().ci95())
                .contains(new Interval(103, 105));
    }

    private static EntryFixture like(Entry e) {
        return new EntryFixture(e.id(), e.kind(), e.plan(), e.at())
                .label(e.label())
                .seconds(e.seconds())
                .code(e.code())
                .environment(e.environment())
                .verdict(e.verdict())
                .bottleneck(e.bottleneck())
                .folder(e.folder())
                .commandLine(e.commandLine())
                .figures(e.figures())
                .parts(e.parts())
                .artifacts(e.artifacts());
    }

    private static Entry as(String verdict, double seconds, Entry e) {
        return like(e).verdict(verdict).seconds(seconds).entry();
    }

    private static Entry labelled(Entry e, String text) {
        return like(e).label(Optional.of(text)).entry();
    }

    private static void aWholeResultTakesThePlaceOfItsParts(History history) {
        Entry whole = entry("shop", 0, 100);
        Entry part = as(UnfinishedResult.VERDICT, 4, entry("shop", 0, 90));
        Entry more = as(UnfinishedResult.VERDICT, 8, entry("shop", 0, 95));
        var changes = List.of(new History.Reported("qps", whole.id(), 0.9));
        assertThat(history.add(part)).isTrue();
        assertThat(history.add(part)).as("the same part").isFalse();
        history.label(part.id(), Optional.of("before the cache"));
        history.accept(part.id(), DAY, "a better parser");

        assertThat(history.add(more)).isTrue();
        assertThat(history.add(part)).as("less than is there").isFalse();
        assertThat(history.add(whole, changes)).isTrue();
        assertThat(history.add(more)).as("a part of what is there").isFalse();

        assertThat(history.count(Filter.ALL)).isEqualTo(1);
        assertThat(history.entry("latest")).isEqualTo(labelled(whole, "before the cache"));
        assertThat(history.accepted("shop")).hasSize(1);
        assertThat(history.reported("shop")).isEqualTo(Map.of("qps", Set.of(whole.id())));
    }

    private static void prunesByARule(History history) {
        for (int day = 0; day < 5; day++) {
            history.add(entry("shop", day, 100));
        }
        history.label(entry("shop", 0, 100).id(), Optional.of("before the cache"));
        history.accept(entry("shop", 1, 100).id(), DAY, "a better parser");
        assertThat(history.beyond(new Keeping(Optional.of(1), Optional.empty())))
                .extracting(Entry::at)
                .containsExactly(DAY.plus(Duration.ofDays(2)), DAY.plus(Duration.ofDays(3)));
        Instant third = DAY.plus(Duration.ofDays(3));
        List<Entry> old = history.beyond(new Keeping(Optional.empty(), Optional.of(third)));
        assertThat(old).extracting(Entry::at).containsExactly(DAY.plus(Duration.ofDays(2)));
        history.delete(old.stream().map(Entry::id).toList());
        assertThat(history.count(Filter.ALL)).isEqualTo(4);
        assertThat(history.entry("20261101").label()).contains("before the cache");
        assertThat(history.accepted("shop").getFirst().reason()).isEqualTo("a better parser");
        Entry another = entry("shop", 5, 90);
        String last = another.id();
        history.add(another, List.of(new History.Reported("qps", last, 0.9)));
        assertThat(history.reported("shop")).isEqualTo(Map.of("qps", Set.of(last)));
        assertThat(history.reported("other")).isEmpty();
    }

    @Test
    void completeResultReplacesItsPartsInFile() {
        aWholeResultTakesThePlaceOfItsParts(file());
    }

    @Test
    void keepsResultsInAFile() {
        keepsGivenEntries(file());
        assertThat(file().count(Filter.ALL)).as("opened again").isEqualTo(6);
    }

    @Test
    void prunesResultsInFile() {
        prunesByARule(file());
    }

    @Test
    void keepsResultsInPostgres() throws Exception {
        try (PostgresServer server = postgres()) {
            keepsGivenEntries(History.open(Store.parse(server.url(), Optional.empty())));
        }
    }

    @Test
    void completeResultReplacesItsPartsInPostgres() throws Exception {
        try (PostgresServer server = postgres()) {
            aWholeResultTakesThePlaceOfItsParts(
                    History.open(Store.parse(server.url(), Optional.empty())));
        }
    }

    @Test
    void prunesResultsInPostgres() throws Exception {
        try (PostgresServer server = postgres()) {
            prunesByARule(History.open(Store.parse(server.url(), Optional.empty())));
            assertThat(
                            storedByFour(() ->
                                    History.open(Store.parse(server.url(), Optional.empty()))))
                    .isEqualTo(45);
        }
    }

    private static PostgresServer postgres() throws Exception {
        Optional<PostgresServer> server = PostgresServer.start();
        assumeTrue(
                server.isPresent(),
                "SKIPPED: PostgreSQL is not installed (apt-get install postgresql)");
        return server.orElseThrow();
    }

    /// Four writers store ten results each at the same time, each with its own connection.
    private static long storedByFour(Callable<History> opening) throws Exception {
        try (var four = Executors.newFixedThreadPool(4)) {
            List<Future<?>> writers = new ArrayList<>();
            for (int writer = 0; writer < 4; writer++) {
                String plan = "plan-" + writer;
                writers.add(
                        four.submit(() -> {
                            History history = opening.call();
                            for (int day = 0; day < 10; day++) {
                                history.add(entry(plan, day, day));
                            }
                            return history;
                        }));
            }
            for (Future<?> writer : writers) {
                writer.get();
            }
        }
        return opening.call().count(Filter.ALL);
    }

    @Test
    void severalProcessesWriteAtTheSameTime() throws Exception {
        // the first writer creates the tables
        assertThat(storedByFour(this::file)).isEqualTo(40);
    }

    /// All tries at once, so that the first connections of several openings overlap.
    @Test
    void severalOpenANewFileAtTheSameTime() throws Exception {
        try (var openers = Executors.newFixedThreadPool(8)) {
            for (int file = 0; file < 10; file++) {
                Store store = new Store.File(folder.resolve("new-" + file + ".db"));
                List<Callable<Long>> opening =
                        Collections.nCopies(8, () -> History.open(store).count(Filter.ALL));
                for (Future<Long> count : openers.invokeAll(opening)) {
                    assertThat(count.get()).isZero();
                }
            }
        }
        try (var plain = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("new-0.db"));
                var mode = plain.createStatement().executeQuery("PRAGMA journal_mode")) {
            assertThat(mode.getString(1)).isEqualTo("wal");
        }
    }

    @Tag("full") // kills a writer
    @Test
    void killedWriterLosesNoEntry() throws Exception {
        Path store = folder.resolve("history.db");
        Process writer =
                new ProcessBuilder(
                                ProcessHandle.current().info().command().orElseThrow(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Writer.class.getName(),
                                store.toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        int acknowledged = 0;
        try (var lines = writer.inputReader()) {
            while (acknowledged < 20 && lines.readLine() != null) {
                acknowledged++;
            }
            // killed by its handle, which leaves the pipe open, so that the rest of the output can
            // be read
            writer.toHandle().destroyForcibly();
            while (lines.readLine() != null) {
                acknowledged++;
            }
        }
        assertThat(acknowledged).isGreaterThanOrEqualTo(20);
        History again = History.open(new Store.File(store));
        assertThat(again.count(Filter.ALL)).isGreaterThanOrEqualTo(acknowledged);
        assertThat(again.list(Filter.ALL)).allSatisfy(e -> assertThat(e.figures()).hasSize(2));
        assertThat(again.add(entry("after", 0, 1))).isTrue();
    }

    /// Stores results until it is killed, and prints a line for each.
    static final class Writer {
        private Writer() {}

        public static void main(String[] arguments) {
            History history = History.open(new Store.File(Path.of(arguments[0])));
            for (int day = 0; day < 100_000; day++) {
                history.add(entry("killed", day, day));
                System.out.println(day);
                System.out.flush();
            }
        }
    }

    @Tag("full") // fills a disk
    @Test
    void fullDiskLosesNoEntry() throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        boolean mounted =
                new ProcessBuilder(
                                        "mount",
                                        "-t",
                                        "tmpfs",
                                        "-o",
                                        "size=3m,mode=700",
                                        "none",
                                        disk.toString())
                                .start()
                                .waitFor()
                        == 0;
        assumeTrue(mounted, "SKIPPED: only root can mount a small disk");
        try {
            var store = new Store.File(disk.resolve("history.db"));
            History history = History.open(store);
            int stored = 0;
            Optional<UserError> full = Optional.empty();
            while (full.isEmpty() && stored < 100_000) {
                try {
                    history.add(entry("full", stored, stored));
                    stored++;
                } catch (UserError failed) {
                    full = Optional.of(failed);
                }
            }
            assertThat(full.orElseThrow().kind()).isEqualTo(UserError.Kind.TARGET);
            assertThat(stored).isPositive();
            assertThat(History.open(store).count(Filter.ALL)).isEqualTo(stored);
            assertThat(History.open(store).list(Filter.ALL.newest(1)).getFirst().figures())
                    .hasSize(2);
        } finally {
            assertThat(new ProcessBuilder("umount", "-l", disk.toString()).start().waitFor())
                    .isZero();
        }
    }

    @Test
    void theVersionIsThatOfTheNewestMigration() throws Exception {
        Path migrations = Path.of("src/main/resources/dev/jdyno/history/migration");
        try (Stream<Path> files = Files.list(migrations)) {
            assertThat(
                            files.map(f -> f.getFileName().toString())
                                    .mapToInt(f -> Integer.parseInt(f.split("\\D+")[1]))
                                    .max())
                    .hasValue(Entry.Row.VERSION);
        }
    }

    @Test
    void refusesABottleneckThatOnlyANewerVersionKnows() throws Exception {
        History history = file();
        history.add(entry("shop", 0, 100));
        try (Connection connection =
                        DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("history.db"));
                Statement sql = connection.createStatement()) {
            sql.executeUpdate("UPDATE run SET bottleneck = 'gravity'");
        }
        assertThatThrownBy(() -> history.list(Filter.ALL))
                .isInstanceOfSatisfying(
                        UserError.class,
                        e -> {
                            assertThat(e.kind()).isEqualTo(UserError.Kind.TARGET);
                            assertThat(e.what()).contains("gravity");
                        });
    }

    @Test
    void refusesFileThatIsNoHistory() throws Exception {
        Path text = Files.writeString(folder.resolve("notes.txt"), "x".repeat(5000));
        assertThatThrownBy(() -> History.open(new Store.File(text))).isInstanceOf(UserError.class);
        assertThat(text).hasSize(5000);
        Path link = Files.createSymbolicLink(folder.resolve("link.db"), text);
        assertThatThrownBy(() -> History.open(new Store.File(link))).isInstanceOf(UserError.class);
    }

    @Test
    void onlyOwnerCanRead() throws Exception {
        file();
        assertThat(Files.getPosixFilePermissions(folder.resolve("history.db"))).hasSize(2);
    }

    @Test
    void readsPostgresUrls() {
        assertThat(
                        Store.parse(
                                "postgresql://ann:s%40@db:5433/perf?sslmode=require",
                                Optional.empty()))
                .isEqualTo(
                        new Store.Server(
                                "jdbc:postgresql://db:5433/perf?sslmode=require",
                                Optional.of("ann"),
                                Optional.of("s@"),
                                false));
        for (String url :
                List.of(
                        "postgresql://ann:s3cret@db/perf",
                        "postgresql://db/perf?user=ann&password=s3cret",
                        "jdbc:postgresql://db/perf?password=s3cret&user=ann")) {
            assertThat(Store.parse(url, Optional.empty()))
                    .isEqualTo(
                            new Store.Server(
                                    "jdbc:postgresql://db/perf",
                                    Optional.of("ann"),
                                    Optional.of("s3cret"),
                                    true));
            assertThat(Store.parse(url, Optional.empty()).toString()).doesNotContain("s3cret");
        }
        assertThatThrownBy(() -> Store.parse("mysql://db/perf", Optional.empty()))
                .isInstanceOf(UserError.class);
        assertThatThrownBy(() -> Store.parse("postgresql://db", Optional.empty()))
                .isInstanceOf(UserError.class);
        assertThat(Store.parse("a/history.db", Optional.empty())).isInstanceOf(Store.File.class);
    }

    @Test
    void readsTheCommitWithoutAskingGit() throws Exception {
        String hash = "89abcdef0123456789abcdef0123456789abcdef";
        assertThat(Commit.around(folder)).isEmpty();
        Path git = Files.createDirectories(folder.resolve(".git"));
        Files.writeString(git.resolve("HEAD"), "ref: refs/heads/perf/cache\n");
        Files.writeString(
                git.resolve("packed-refs"), "# pack\n" + hash + " refs/heads/perf/cache\n");
        Path below = Files.createDirectories(folder.resolve("a/b"));
        assertThat(Commit.around(below)).contains(new Commit(hash, Optional.of("perf/cache")));
        Files.writeString(git.resolve("HEAD"), hash + "\n");
        assertThat(Commit.around(below)).contains(new Commit(hash, Optional.empty()));
        Files.writeString(git.resolve("HEAD"), "ref: refs/heads/../../../etc/passwd\n");
        assertThat(Commit.around(below)).isEmpty();
    }
}
