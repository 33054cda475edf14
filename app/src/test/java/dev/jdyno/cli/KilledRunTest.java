package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.jdyno.history.Entry;
import dev.jdyno.history.EntryFile;
import dev.jdyno.history.Filter;
import dev.jdyno.history.History;
import dev.jdyno.history.Kind;
import dev.jdyno.history.RoundLines;
import dev.jdyno.history.Store;
import dev.jdyno.history.UnfinishedResult;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// After `kill -9` in the middle of a measurement, its finished parts can be imported.
class KilledRunTest {
    @TempDir private Path folder;

    private HttpServer server;

    @BeforeEach
    void aService() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.createContext(
                "/",
                exchange -> {
                    exchange.sendResponseHeaders(200, 2);
                    exchange.getResponseBody().write("ok".getBytes(StandardCharsets.UTF_8));
                    exchange.close();
                });
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    @AfterEach
    void ended() {
        server.stop(0);
    }

    private Path out() {
        return folder.resolve("out");
    }

    /// An action of the test while a measurement runs.
    @FunctionalInterface
    private interface Meanwhile {
        void act() throws IOException;
    }

    /// @param lines minimum number of stored lines before the kill
    private void killed(int lines, String... words) throws IOException, InterruptedException {
        killed(lines, () -> {}, words);
    }

    private void killed(int lines, Meanwhile before, String... words)
            throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                Main.class.getName()));
        command.addAll(List.of(words));
        command.addAll(List.of("--out", out().toString(), "--no-store"));
        Process jdyno = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = new StringBuilder();
        try (BufferedReader reader = jdyno.inputReader()) {
            String line = reader.readLine();
            while (line != null && lines() < lines) {
                said.append(line).append('\n');
                line = reader.readLine();
            }
            before.act();
            jdyno.toHandle().destroyForcibly();
            while (line != null) {
                line = reader.readLine();
            }
        }
        jdyno.waitFor();
        assertThat(lines()).as(said.toString()).isGreaterThanOrEqualTo(lines);
        assertThat(out().resolve("result.json")).doesNotExist();
    }

    private long lines() throws IOException {
        Path file = out().resolve(RoundLines.NAME);
        return Files.exists(file)
                ? Files.readString(file).chars().filter(c -> c == '\n').count()
                : 0;
    }

    private Path store() {
        return folder.resolve("store/history.db");
    }

    private CliOutput imports() {
        return CliOutput.jdyno(
                "history", "import", out().toString(), "--store", store().toString());
    }

    private Entry imported() {
        CliOutput said = imports();
        assertThat(said.code()).as(said.err()).isZero();
        return History.open(new Store.File(store())).entry("latest");
    }

    private Path plan() throws IOException {
        return Files.writeString(
                folder.resolve("plan.yaml"),
                """
                name: shop
                url: http://127.0.0.1:%d/
                warmup: {atLeast: 1s, atMost: 1s}
                rounds: {length: 2s, settle: 0ms, concurrency: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}
                """
                        .formatted(server.getAddress().getPort()));
    }

    @Test
    void keepsFinishedRounds() throws Exception {
        killed(3, "run", plan().toString());
        long rounds = lines() - 1;
        assertThat(Files.getPosixFilePermissions(out().resolve(RoundLines.NAME))).hasSize(2);
        // files that a kill or a power cut may leave in the folder
        Files.writeString(
                out().resolve(RoundLines.NAME), "{\"round\":{\"conc", StandardOpenOption.APPEND);

        Entry entry = imported();

        assertThat(entry.kind()).isEqualTo(Kind.RUN);
        assertThat(entry.plan()).isEqualTo("shop");
        assertThat(entry.verdict()).isEqualTo(UnfinishedResult.VERDICT);
        assertThat(entry.valid()).isFalse();
        assertThat(entry.figure(UnfinishedResult.ROUNDS).orElseThrow().value())
                .isEqualTo((double) rounds);
        assertThat(entry.figure("qps").orElseThrow().value()).isPositive();
    }

    @Test
    void keepsFinishedBlocksOfComparison() throws Exception {
        String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
        Path a = plan();
        Path b = Files.copy(a, folder.resolve("b.yaml"));
        Files.writeString(b, Files.readString(b).replace(url, url + "?b"));

        // two blocks of variant A (saturated and at a fixed rate), then two of variant B
        killed(
                5,
                "compare",
                a.toString(),
                b.toString(),
                "--block",
                "2s",
                "--warmup",
                "3s",
                "--concurrency",
                "2",
                "--rate",
                "50");

        Entry entry = imported();
        assertThat(entry.kind()).isEqualTo(Kind.COMPARE);
        assertThat(entry.verdict()).isEqualTo(UnfinishedResult.VERDICT);
        assertThat(entry.figure(UnfinishedResult.ROUNDS).orElseThrow().value())
                .isGreaterThanOrEqualTo(4);
        assertThat(entry.figure("qps").orElseThrow().value()).isPositive();
    }

    @Test
    void namesInvalidLineAndImportsNothing() throws Exception {
        killed(3, "run", plan().toString());
        Path file = out().resolve(RoundLines.NAME);
        List<String> all = new ArrayList<>(Files.readAllLines(file));
        all.add(1, "{\"round\":");
        Files.write(file, all);

        CliOutput said = imports();

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("line 2");
    }

    /// The folder also has the complete result of an earlier run. It must not be imported as the
    /// result of the killed run.
    @Test
    void runningRunIsNotImportedAndKeepsItsFolder() throws Exception {
        Files.createDirectories(out());
        for (String stale : List.of("result.json", EntryFile.NAME, RoundLines.NAME)) {
            Files.writeString(out().resolve(stale), "{}\n");
        }
        Path plan = plan();
        killed(
                3,
                () -> {
                    assertThat(out().resolve("result.json")).doesNotExist();
                    assertThat(out().resolve(EntryFile.NAME)).doesNotExist();
                    CliOutput said = imports();
                    assertThat(said.code()).isEqualTo(2);
                    assertThat(History.open(new Store.File(store())).count(Filter.ALL)).isZero();
                    long before = lines();
                    CliOutput second =
                            CliOutput.jdyno(
                                    "run", plan.toString(), "--out", "" + out(), "--no-store");
                    assertThat(second.code()).isEqualTo(2);
                    assertThat(second.err()).contains("--out DIR");
                    assertThat(lines()).isGreaterThanOrEqualTo(before);
                },
                "run",
                plan.toString());

        assertThat(imported().verdict()).isEqualTo(UnfinishedResult.VERDICT);
    }
}
