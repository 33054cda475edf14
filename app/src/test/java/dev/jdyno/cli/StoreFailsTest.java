package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.cli.options.KeepOptions;
import dev.jdyno.history.Commit;
import dev.jdyno.history.Entries;
import dev.jdyno.history.Entry;
import dev.jdyno.history.EntryFile;
import dev.jdyno.history.EntryFixture;
import dev.jdyno.history.Filter;
import dev.jdyno.history.History;
import dev.jdyno.history.Kind;
import dev.jdyno.history.RoundLines;
import dev.jdyno.history.Store;
import dev.jdyno.measure.RoundFixture;
import dev.jdyno.measure.text.ShellText;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.trial.Silent;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// If the store fails, no verb loses a result, and `history import` stores it later.
class StoreFailsTest {
    private static final Instant AT = Instant.parse("2026-11-01T08:00:00Z");

    @TempDir private Path folder;

    /// Makes a store refuse writing, as on a full disk. It can still be opened and read.
    static void refuses(Path store) throws SQLException {
        History.open(new Store.File(store));
        sql(
                store,
                "CREATE TRIGGER full BEFORE INSERT ON run BEGIN SELECT RAISE(FAIL, 'disk full'); END");
    }

    static void takesAgain(Path store) throws SQLException {
        sql(store, "DROP TRIGGER full");
    }

    private static void sql(Path store, String statement) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + store);
                Statement s = connection.createStatement()) {
            s.executeUpdate(statement);
        }
    }

    private static Entry entry(Kind kind, Entries.Origin origin) {
        return new EntryFixture("20261101-080000-0123456789ab", kind, "shop", AT)
                .label(origin.label())
                .seconds(12)
                .code(origin.code())
                .environment(Entries.machine())
                .verdict("better")
                .bottleneck(Optional.of(Bottleneck.LOCK))
                .folder(origin.folder().map(Path::toString))
                .commandLine(origin.commandLine())
                .figures(List.of(new Entry.Figure("qps", "ratio", 1.25, Optional.empty())))
                .parts(
                        List.of(
                                new Entry.Part(
                                        Entry.PartKind.METHOD, "com.acme.Shop.price", 1.5, 120)))
                .entry();
    }

    private Path result(Kind kind) throws IOException {
        Path result = Files.createDirectories(folder.resolve("out-" + kind.key()));
        Files.writeString(result.resolve("some.json"), "{}");
        return result;
    }

    private static String kept(Kind kind, Path result, String... options) {
        var keeping = new KeepOptions();
        CommandLine.populateCommand(keeping, options);
        var said = new StringWriter();
        keeping.keep(
                AT,
                "jdyno " + kind.key(),
                Optional.of(result),
                result,
                new PrintWriter(said, true),
                origin -> entry(kind, origin));
        return said.toString();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void fullStoreLosesNoResultOfAnyVerb(Kind kind) throws Exception {
        Path store = folder.resolve("store/history.db");
        refuses(store);
        Path result = result(kind);

        assertThat(kept(kind, result, "--store", store.toString(), "--label", "before"))
                .contains("history import " + result);

        takesAgain(store);
        imports(store, kind, Optional.of("before"));
    }

    @Test
    void printsImportCommandThatCanBeCopied() throws Exception {
        Path result = Files.createDirectories(folder.resolve("out of $HOME; it's"));
        Path store = folder.resolve("my store/history.db");
        refuses(store);

        String said = kept(Kind.RUN, result, "--store", store.toString());

        assertThat(said)
                .contains(
                        "history import "
                                + ShellText.quoted(result.toString())
                                + " --store "
                                + ShellText.quoted(store.toString()));
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void missingServerLosesNoResultOfAnyVerb(Kind kind) throws Exception {
        Path result = result(kind);

        assertThat(kept(kind, result, "--store", "postgresql://127.0.0.1:1/perf"))
                .contains("history import " + result);

        imports(folder.resolve("store/history.db"), kind, Optional.empty());
    }

    @Test
    void importsResultThatWasNotStored() throws Exception {
        assertThat(kept(Kind.TUNE, result(Kind.TUNE), "--no-store")).isEmpty();

        imports(folder.resolve("store/history.db"), Kind.TUNE, Optional.empty());
    }

    /// If the result file cannot be written, because the disk is full or the folder read-only, its
    /// stored parts remain.
    @ParameterizedTest
    @EnumSource(Kind.class)
    void storesResultIfItsFileCannotBeWritten(Kind kind) throws Exception {
        Path store = folder.resolve("store/history.db");
        Path result = result(kind);
        Files.writeString(result.resolve(RoundLines.NAME), "{}\n");
        Files.createDirectories(result.resolve(EntryFile.NAME).resolve("in the way"));

        assertThat(kept(kind, result, "--store", store.toString())).contains(EntryFile.NAME);

        assertThat(History.open(new Store.File(store)).entry("latest").kind()).isEqualTo(kind);
        assertThat(result.resolve(RoundLines.NAME)).exists();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void removesPartsOnceResultIsWritten(Kind kind) throws Exception {
        Path result = result(kind);
        Files.writeString(result.resolve(RoundLines.NAME), "{}\n");

        kept(kind, result, "--no-store");

        assertThat(result.resolve(RoundLines.NAME)).doesNotExist();
        imports(folder.resolve("store/history.db"), kind, Optional.empty());
    }

    /// The invalid file and a valid one lie in separate folders.
    @ParameterizedTest
    @ValueSource(strings = {"a link", "a pipe", "a folder", "a result that is a link"})
    @Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void refusesInvalidFileAndImportsTheOthers(String kind) throws Exception {
        Path good = result(Kind.TUNE);
        kept(Kind.TUNE, good, "--no-store");
        Path bad = result(Kind.RUN);
        Path file = bad.resolve(EntryFile.NAME);
        // a file that makes the import look into this folder
        Files.writeString(bad.resolve(RoundLines.NAME), "null\n");
        switch (kind) {
            case "a link" -> Files.createSymbolicLink(file, good.resolve(EntryFile.NAME));
            case "a pipe" ->
                    assertThat(new ProcessBuilder("mkfifo", "" + file).start().waitFor()).isZero();
            case "a folder" -> Files.createDirectory(file);
            default ->
                    Files.createSymbolicLink(
                            bad.resolve(EntryFile.RESULT),
                            Path.of("../report/src/test/resources/report/result.json")
                                    .toAbsolutePath());
        }
        Path store = folder.resolve("store/history.db");

        CliOutput said =
                CliOutput.jdyno(
                        "history", "import", folder.toString(), "--store", store.toString());

        assertThat(said.code()).isEqualTo(2);
        assertThat(History.open(new Store.File(store)).list(Filter.ALL))
                .extracting(Entry::kind)
                .containsExactly(Kind.TUNE);
    }

    private void imports(Path store, Kind kind, Optional<String> label) {
        String[] line = {"history", "import", folder.toString(), "--store", store.toString()};
        assertThat(CliOutput.jdyno(line).code()).isZero();
        assertThat(CliOutput.jdyno(line).code()).as("again does no harm").isZero();
        Entry stored = History.open(new Store.File(store)).entry("latest");
        assertThat(stored.kind()).isEqualTo(kind);
        assertThat(stored.label()).isEqualTo(label);
        assertThat(stored.figure("qps").orElseThrow().value()).isEqualTo(1.25);
        assertThat(stored.parts()).hasSize(1);
        assertThat(stored.artifacts()).hasSize(1);
        assertThat(stored.commandLine()).isEqualTo("jdyno " + kind.key());
    }

    @Test
    void importsChangesReportedByGuard() throws Exception {
        Path result = result(Kind.GUARD);
        var origin =
                new Entries.Origin(
                        AT, "jdyno guard", Optional.empty(), Optional.of(result), Optional.empty());
        EntryFile.write(
                result,
                entry(Kind.GUARD, origin),
                List.of(new History.Reported("qps", "20261031-080000-ab", 0.9)));
        Path store = folder.resolve("store/history.db");

        imports(store, Kind.GUARD, Optional.empty());

        assertThat(History.open(new Store.File(store)).reported("shop"))
                .isEqualTo(Map.of("qps", Set.of("20261031-080000-ab")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "[]",
                "{\"schema\":\"jdyno/entry/1\"}",
                "{\"schema\":\"jdyno/entry/1\",\"id\":\"../../x\"}",
                "{\"schema\":\"jdyno/entry/1\",\"id\":\"20261101-080000-abcd\",\"at\":\"x\"}"
            })
    void refusesForeignFileAndImportsOthers(String text) throws Exception {
        kept(Kind.TUNE, result(Kind.TUNE), "--no-store");
        Files.writeString(result(Kind.RUN).resolve(EntryFile.NAME), text);
        Path store = folder.resolve("store/history.db");

        CliOutput said =
                CliOutput.jdyno(
                        "history", "import", folder.toString(), "--store", store.toString());

        assertThat(said.code()).isEqualTo(2);
        assertThat(History.open(new Store.File(store)).entry("latest").kind()).isEqualTo(Kind.TUNE);
    }

    @Test
    void refusesUnknownBottleneckOfNewerVersionByName() throws Exception {
        Path result = result(Kind.RUN);
        kept(Kind.RUN, result, "--no-store");
        Path file = result.resolve(EntryFile.NAME);
        String text = Files.readString(file);
        assertThat(text).contains("\"bottleneck\":\"lock\"");
        Files.writeString(
                file, text.replace("\"bottleneck\":\"lock\"", "\"bottleneck\":\"gravity\""));

        assertThatThrownBy(() -> EntryFile.read(result))
                .isInstanceOfSatisfying(
                        UserError.class,
                        e -> {
                            assertThat(e.kind()).isEqualTo(UserError.Kind.USAGE);
                            assertThat(e.why()).contains("gravity");
                        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void fileOfAnEarlierVersionGivesTheSameEntry(boolean onABranch) throws Exception {
        Path result = result(Kind.RUN);
        var commit = new Commit("a".repeat(40), onABranch ? Optional.of("main") : Optional.empty());
        Entry entry =
                new EntryFixture("20261101-080000-abcd", Kind.RUN, "shop", AT)
                        .code(Optional.of(commit))
                        .folder(Optional.of(result.toAbsolutePath().normalize().toString()))
                        .entry();
        EntryFile.write(result, entry, List.of());
        assertThat(EntryFile.read(result).entry().row()).isEqualTo(entry.row());
        Path file = result.resolve(EntryFile.NAME);
        var document = (ObjectNode) JsonMapper.shared().readTree(Files.readString(file));
        ObjectNode code = document.objectNode();
        code.set("hash", document.remove("commit"));
        code.set("branch", document.remove("branch"));
        document.set("code", code);
        document.put("schema", "jdyno/entry/1");
        Files.writeString(file, document.toString());

        assertThat(EntryFile.read(result).entry().row()).isEqualTo(entry.row());
    }

    private void refusesTheRunAndImportsTheTuning() {
        Path store = folder.resolve("store/history.db");

        CliOutput said =
                CliOutput.jdyno(
                        "history", "import", folder.toString(), "--store", store.toString());

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("not imported", folder.resolve("out-run").toString());
        assertThat(History.open(new Store.File(store)).entry("latest").kind()).isEqualTo(Kind.TUNE);
    }

    /// The entry is valid JSON, but no store accepts its values.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"at\":\"[^\"]*\"|\"at\":\"+1000000000-12-31T23:59:59Z\"",
                "\"at\":\"[^\"]*\"|\"at\":\"-0001-12-31T23:59:59Z\"",
                "\"seconds\":12.0|\"seconds\":1e999",
                "\"host\":\"[^\"]*\"|\"host\":null",
                "\"value\":1.25|\"value\":-1e999",
                "\"unit\":\"ratio\"|\"unit\":null",
                "\"ms\":1.5|\"ms\":1e999",
                "\"ratio\":0.9|\"ratio\":1e999",
                "\"since\":\"[^\"]*\"|\"since\":null"
            })
    void skipsInvalidEntryAndImportsOthers(String part, String damaged) throws Exception {
        kept(Kind.TUNE, result(Kind.TUNE), "--no-store");
        Path bad = result(Kind.RUN);
        EntryFile.write(
                bad,
                entry(Kind.RUN, origin(bad)),
                List.of(new History.Reported("qps", "20261031-080000-ab", 0.9)));
        damage(bad.resolve(EntryFile.NAME), part, damaged);

        refusesTheRunAndImportsTheTuning();
    }

    @ParameterizedTest
    @ValueSource(strings = {RoundLines.NAME, EntryFile.RESULT})
    void skipsImpossibleTimeAndImportsOthers(String name) throws Exception {
        kept(Kind.TUNE, result(Kind.TUNE), "--no-store");
        Path bad = result(Kind.RUN);
        if (name.equals(RoundLines.NAME)) {
            try (RoundLines lines =
                    RoundLines.begin(bad, Kind.RUN, "shop", origin(bad), new Silent())) {
                lines.round(RoundFixture.round(1, 100).build());
            }
        } else {
            Files.copy(
                    Path.of("../report/src/test/resources/report/result.json"), bad.resolve(name));
        }
        damage(
                bad.resolve(name),
                "\"startedAt\"\\s*:\\s*\"[^\"]*\"",
                "\"startedAt\":\"+1000000000-12-31T23:59:59Z\"");

        refusesTheRunAndImportsTheTuning();
    }

    private static Entries.Origin origin(Path result) {
        return new Entries.Origin(
                AT, "jdyno run", Optional.empty(), Optional.of(result), Optional.empty());
    }

    private static void damage(Path file, String part, String damaged) throws IOException {
        String whole = Files.readString(file);
        String changed = whole.replaceFirst(part, damaged);
        assertThat(changed).isNotEqualTo(whole);
        Files.writeString(file, changed);
    }
}
