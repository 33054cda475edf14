package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jdyno.cli.terminal.Version;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.serve.Week;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// jdyno on a system other than Linux: a separate JVM with another `os.name`, without `/proc` if
/// the test may hide it. The native library of SQLite is that of this machine.
class NeedsLinuxTest {
    private static final String RESULT = "../report/src/test/resources/report/result.json";

    /// The JVM loads this class when it links the first native method.
    private static final String LINKER = "jdk.internal.foreign.abi.AbstractLinker";

    @TempDir private Path folder;

    enum Way {
        LINUX("Linux"),
        MAC("Mac OS X"),
        WINDOWS("Windows 11"),
        MAC_WITHOUT_PROC("Mac OS X");

        private final String system;

        Way(String system) {
            this.system = system;
        }
    }

    private record Ran(int code, String out, String err, boolean linksNativeMethods) {}

    @BeforeEach
    void sqlite() throws IOException {
        String arch = System.getProperty("os.arch").equals("aarch64") ? "aarch64" : "x86_64";
        try (InputStream library =
                Objects.requireNonNull(
                        getClass()
                                .getResourceAsStream(
                                        "/org/sqlite/native/Linux/"
                                                + arch
                                                + "/libsqlitejdbc.so"))) {
            Files.copy(library, folder.resolve("libsqlitejdbc.so"));
        }
    }

    private static boolean isProcHidden() throws IOException, InterruptedException {
        Process tried =
                new ProcessBuilder(
                                "unshare",
                                "--mount",
                                "sh",
                                "-c",
                                "mount -t tmpfs none /proc && ! [ -e /proc/self ]")
                        .redirectErrorStream(true)
                        .start();
        tried.getOutputStream().close();
        byte[] _ = tried.getInputStream().readAllBytes();
        return tried.waitFor() == 0;
    }

    private Process start(Way way, String... args) throws IOException, InterruptedException {
        Path home = Path.of(System.getProperty("java.home"));
        List<String> words = new ArrayList<>();
        if (way == Way.MAC_WITHOUT_PROC) {
            assumeTrue(isProcHidden(), "skipped: hiding /proc needs root and unshare");
            words.addAll(
                    List.of(
                            "unshare",
                            "--mount",
                            "sh",
                            "-c",
                            "mount -t tmpfs none /proc && exec \"$@\"",
                            "sh"));
        }
        words.addAll(
                List.of(
                        home.resolve("bin/java").toString(),
                        "-Dos.name=" + way.system,
                        "-Dorg.sqlite.lib.path=" + folder,
                        "-Dorg.sqlite.lib.name=libsqlitejdbc.so",
                        "-Xlog:class+load:file=" + folder.resolve("loaded.txt"),
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.jdyno.cli.Main"));
        words.addAll(List.of(args));
        var builder = new ProcessBuilder(words);
        builder.environment().put("XDG_DATA_HOME", folder.resolve("data").toString());
        // without this variable, the dynamic loader needs /proc/self/exe to find the JVM's
        // libraries
        builder.environment().put("LD_LIBRARY_PATH", home.resolve("lib").toString());
        return builder.redirectError(folder.resolve("err.txt").toFile()).start();
    }

    private Ran ran(Way way, String... args) throws IOException, InterruptedException {
        Process process = start(way, args);
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        return new Ran(
                process.exitValue(),
                out,
                Files.readString(folder.resolve("err.txt")),
                linksNativeMethods());
    }

    private boolean linksNativeMethods() throws IOException {
        return Files.readString(folder.resolve("loaded.txt")).contains(" " + LINKER + " ");
    }

    /// Runs a command that must succeed.
    ///
    /// @return its output
    private String works(Way way, String... args) throws IOException, InterruptedException {
        Ran ran = ran(way, args);
        assertThat(ran.code()).as("%s: %s", List.of(args), ran.err()).isZero();
        assertThat(ran.linksNativeMethods()).as("%s links none", List.of(args)).isFalse();
        return ran.out();
    }

    private static String schema(String json) {
        return JsonMapper.shared().readTree(json).at("/schema").asString();
    }

    @Test
    void createsStoreWithNativeMethodsOnLinux() throws Exception {
        Path store = folder.resolve("new/history.db");
        assertThat(ran(Way.LINUX, "history", "--store", store.toString()).linksNativeMethods())
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = Way.class,
            names = {"MAC", "WINDOWS", "MAC_WITHOUT_PROC"})
    void verbsThatReadFilesRun(Way way) throws Exception {
        Path series =
                Files.writeString(folder.resolve("series.csv"), "ms\n" + "7\n7.1\n".repeat(9));

        assertThat(schema(works(way, "gc", Week.GC_LOG.toString(), "--json")))
                .isEqualTo("jdyno/gc/1");
        assertThat(works(way, "gc", Week.GC_LOG.toString())).isNotEmpty();
        assertThat(
                        schema(
                                works(
                                        way,
                                        "heap",
                                        "--collector",
                                        "serial",
                                        "--xmx",
                                        "256m",
                                        "--xmn",
                                        "15m",
                                        "--request-bytes",
                                        "1m",
                                        "--hold",
                                        "10ms",
                                        "--requests",
                                        "300",
                                        "--json")))
                .startsWith("jdyno/heap");
        assertThat(works(way, "whatif", "--resource", "cpu=20/2", "--delay", "io=80", "--json"))
                .isNotEmpty();
        assertThat(works(way, "whatif", RESULT, "cpu*0.5", "--json")).isNotEmpty();
        assertThat(works(way, "report", RESULT)).isNotEmpty();
        assertThat(schema(works(way, "guard", "--series", series.toString(), "--json")))
                .startsWith("jdyno/");
    }

    @ParameterizedTest
    @EnumSource(
            value = Way.class,
            names = {"MAC", "WINDOWS", "MAC_WITHOUT_PROC"})
    void storedResultsAreKeptAndCompared(Way way) throws Exception {
        Path store = folder.resolve("new/history.db");
        Path out = Files.createDirectories(folder.resolve("out"));
        Files.copy(Path.of(RESULT), out.resolve("result.json"));

        works(way, "history", "import", out.toString(), "--store", store.toString());
        String listed = works(way, "history", "list", "--json", "--store", store.toString());
        Ran compared =
                ran(
                        way,
                        "compare",
                        RESULT,
                        RESULT,
                        "--json",
                        "--out",
                        folder.resolve("compared").toString());

        assertThat(JsonMapper.shared().readTree(listed).findValues("id")).hasSize(1);
        assertThat(schema(compared.out())).as(compared.err()).startsWith("jdyno/compare");
        assertThat(compared.code()).isIn(0, 3);
        assertThat(compared.linksNativeMethods()).isFalse();
        assertThat(folder.resolve("compared/report.html")).isNotEmptyFile();
    }

    @ParameterizedTest
    @EnumSource(
            value = Way.class,
            names = {"MAC", "WINDOWS", "MAC_WITHOUT_PROC"})
    void storedResultsAreServed(Way way) throws Exception {
        Path store = folder.resolve("store/history.db");
        Week.of("shop", store, Files.createDirectories(folder.resolve("week")));
        Process serving =
                start(
                        way,
                        "serve",
                        "--listen",
                        "127.0.0.1:0",
                        "--open",
                        "--store",
                        store.toString());
        try (var lines = serving.inputReader()) {
            String said = String.valueOf(lines.readLine());
            assertThat(said)
                    .as(Files.readString(folder.resolve("err.txt")))
                    .startsWith("serving http://127.0.0.1:");
            URI at = URI.create(said.substring("serving ".length()));
            HttpResponse<String> page =
                    HttpClient.newHttpClient()
                            .send(
                                    HttpRequest.newBuilder(at).build(),
                                    HttpResponse.BodyHandlers.ofString());
            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.body()).contains("shop");
            serving.toHandle().destroy();
            assertThat(serving.waitFor(5, TimeUnit.MINUTES)).isTrue();
            assertThat(linksNativeMethods()).isFalse();
        } finally {
            serving.destroyForcibly();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Way.class,
            names = {"MAC", "WINDOWS", "MAC_WITHOUT_PROC"})
    void mcpToolsAreOffered(Way way) throws Exception {
        Path store = folder.resolve("store/history.db");
        Path files = Files.createDirectories(folder.resolve("week"));
        Week.of("shop", store, files);
        Process serving =
                start(way, "mcp", "--files", files.toString(), "--store", store.toString());
        try {
            List<String> answers = new ArrayList<>();
            try (var to = serving.outputWriter(StandardCharsets.UTF_8)) {
                for (String asked :
                        List.of(
                                """
                                {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
                                """,
                                """
                                {"jsonrpc":"2.0","method":"notifications/initialized"}
                                {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"gc","arguments":{"file":"gc.log"}}}
                                """,
                                """
                                {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list_results","arguments":{"most":5}}}
                                """)) {
                    to.write(asked);
                    to.flush();
                    answers.add(String.valueOf(serving.inputReader().readLine()));
                }
            }
            assertThat(serving.waitFor(5, TimeUnit.MINUTES)).isTrue();
            assertThat(serving.exitValue()).isZero();
            for (String answer : answers) {
                JsonNode read = JsonMapper.shared().readTree(answer);
                assertThat(read.has("result")).as(answer).isTrue();
                assertThat(read.at("/result/isError").asBoolean(false)).as(answer).isFalse();
            }
            assertThat(linksNativeMethods()).isFalse();
        } finally {
            serving.destroyForcibly();
        }
    }

    @Test
    void verbThatSendsLoadEndsBeforeAnyWork() throws Exception {
        Ran ran = ran(Way.MAC, "demo", "--out", folder.resolve("out").toString());

        assertThat(ran.code()).isEqualTo(UserError.Kind.USAGE.exitCode());
        assertThat(ran.err()).contains("docker run --rm " + Version.image());
        assertThat(ran.linksNativeMethods()).isFalse();
        assertThat(folder.resolve("out")).doesNotExist();
    }

    private static void check(String system, String line) {
        NeedsLinux.check(
                system,
                Verbs.whole().setCaseInsensitiveEnumValuesAllowed(true).parseArgs(line.split(" ")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run http://127.0.0.1:1/",
                "load http://127.0.0.1:1/",
                "demo",
                "lab all",
                "ps",
                "diagnose 1",
                "threads 1",
                "heap --pid 1",
                "tune plan.yaml",
                "compare a.yaml b.yaml",
                "compare a.json",
                "compare --url http://127.0.0.1:1/ --a x --b y",
                "warm plan.yaml",
                "guard plan.yaml",
                "mcp --allow-load",
                "agent --listen 127.0.0.1:1 --run-key x",
                "agents key x",
                "doctor"
            })
    void otherVerbsNeedLinux(String line) {
        assertThatThrownBy(() -> check("Windows 11", line))
                .isInstanceOfSatisfying(
                        UserError.class, e -> assertThat(e.kind()).isEqualTo(UserError.Kind.USAGE));
        assertThatCode(() -> check("Linux", line)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help",
                "run --help",
                "lab --help",
                "agents key --help",
                "completion bash",
                "history trend shop --figure qps",
                "compare a.json b.json"
            })
    void helpAndStoredResultsRunOnMac(String line) {
        assertThatCode(() -> check("Mac OS X", line)).doesNotThrowAnyException();
    }

    /// A new verb needs Linux until it is listed as running without it.
    @Test
    void verbsListedAsRunningWithoutLinuxExist() {
        CommandLine whole = Verbs.whole();
        assertThat(NeedsLinux.verbs()).isSubsetOf(whole.getSubcommands().keySet());
    }
}
