package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.serve.Week;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The command as an editor starts it. Its client is the library of the protocol, which checks each
/// answer against the tool's schema.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class McpIT {
    private Path folder = Path.of("");
    private Optional<McpSyncClient> client = Optional.empty();

    private StdioClientTransport transport(List<String> options) {
        List<String> words = new ArrayList<>(jdyno());
        words.add("mcp");
        words.addAll(options);
        return new StdioClientTransport(
                ServerParameters.builder(words.getFirst())
                        .args(words.subList(1, words.size()))
                        .build(),
                new JacksonMcpJsonMapper(JsonMapper.shared()));
    }

    /// The command line of the jar, or of the same classes if the build has no jar.
    private static List<String> jdyno() {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String jar = System.getProperty("jdyno.jar");
        return jar == null
                ? List.of(
                        java,
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.jdyno.cli.Main")
                : List.of(java, "-jar", jar);
    }

    private List<String> options() {
        return List.of("--store", store().toString(), "--files", folder.toString());
    }

    private Path store() {
        return folder.resolve("store/history.db");
    }

    private McpSyncClient connected(List<String> options) {
        McpSyncClient connecting =
                McpClient.sync(transport(options))
                        .requestTimeout(Duration.ofSeconds(60))
                        .initializationTimeout(Duration.ofSeconds(60))
                        .build();
        connecting.initialize();
        return connecting;
    }

    @BeforeAll
    void aWeek(@TempDir Path dir) throws Exception {
        folder = dir;
        Files.copy(Week.GC_LOG, folder.resolve("gc.log.gz"));
        Files.writeString(folder.resolve("plan.yaml"), "url: http://127.0.0.1:1/\n");
        Path files = Files.createDirectories(folder.resolve("out"));
        Files.writeString(
                files.resolve("result.json"),
                """
                {"schema":"jdyno/result/1","insight":{},"prescriptions":[],
                 "verdict":{"bottleneck":"cpu","confidence":0.9,"says":"it"}}
                """);
        Week.of("shop", store(), files);
        client = Optional.of(connected(options()));
    }

    @AfterAll
    void close() {
        client.ifPresent(McpSyncClient::close);
    }

    private McpSchema.CallToolResult call(String tool, Map<String, Object> arguments) {
        return client.orElseThrow()
                .callTool(McpSchema.CallToolRequest.builder(tool).arguments(arguments).build());
    }

    /// The structured answer of a tool. The text of the answer must contain the same document.
    private JsonNode answer(String tool, Map<String, Object> arguments) {
        McpSchema.CallToolResult result = call(tool, arguments);
        assertThat(result.isError()).as("%s: %s", tool, result.content()).isNotEqualTo(true);
        JsonNode structured = JsonMapper.shared().valueToTree(result.structuredContent());
        assertThat(JsonMapper.shared().readTree(text(result)))
                .isEqualTo(JsonMapper.shared().readTree(structured.toString()));
        return structured;
    }

    private String error(String tool, Map<String, Object> arguments) {
        McpSchema.CallToolResult result = call(tool, arguments);
        assertThat(result.isError()).as("%s: %s", tool, result.content()).isTrue();
        return text(result);
    }

    private static String text(McpSchema.CallToolResult result) {
        return ((McpSchema.TextContent) result.content().getFirst()).text();
    }

    @Test
    void offersOnlyReadingTools() {
        assertThat(client.orElseThrow().listTools().tools())
                .allSatisfy(t -> {
                    assertThat(t.annotations().readOnlyHint()).as(t.name()).isTrue();
                    assertThat(t.inputSchema()).as(t.name()).containsKey("properties");
                    assertThat(t.outputSchema()).as(t.name()).containsKey("properties");
                })
                .extracting(McpSchema.Tool::name)
                .containsExactlyInAnyOrder(
                        "list_results",
                        "get_result",
                        "trend",
                        "compare_results",
                        "diagnose",
                        "diagnose_files",
                        "gc");
    }

    @Test
    void readsStoredResults() {
        assertThat(answer("list_results", Map.of("most", 5)).get("results").size()).isEqualTo(5);
        JsonNode one = answer("get_result", Map.of("id", "day-03"));
        assertThat(one.get("parts").toString())
                .contains("com.acme.shop.pricing.RebateCalculator.<init>");
        assertThat(one.get("commandLine").asString()).doesNotContain("hunter2");
        JsonNode trend = answer("trend", Map.of("plan", "shop", "figure", "qps"));
        assertThat(trend.get("changePoints").get(0).get("id").asString()).isEqualTo("day-08");
        JsonNode pair = answer("compare_results", Map.of("a", "day-00", "b", "day-09"));
        assertThat(pair.get("figures").get(0).get("ratio").asDouble()).isEqualTo(1.2);
        JsonNode diagnosis = answer("diagnose", Map.of("result", "latest"));
        assertThat(diagnosis.at("/verdict/bottleneck").asString()).isEqualTo("cpu");
        assertThat(diagnosis.has("insight")).isFalse();
    }

    @Tag("full") // watches a JVM for seconds
    @Test
    void readsAGcLogAndWatchesAJvm() {
        JsonNode log = answer("gc", Map.of("file", "gc.log.gz", "requestsPerS", 100));
        assertThat(log.get("collector").asString()).isEqualTo("Serial");
        assertThat(answer("gc", Map.of("result", "day-03")).get("collector"))
                .isEqualTo(log.get("collector"));
        assertThat(log.get("requestBytes").asDouble()).isPositive();
        JsonNode seen =
                answer("diagnose", Map.of("pid", ProcessHandle.current().pid(), "seconds", 3));
        assertThat(seen.at("/target/pid").asLong()).isEqualTo(ProcessHandle.current().pid());
        assertThat(seen.at("/verdict/bottleneck").asString()).isNotEmpty();
    }

    /// The i-th of several dumps, 10 s apart: nine threads wait for a lock, and one thread holds
    /// it.
    private static String dump(int i) {
        var text =
                new StringBuilder(
                        String.format(
                                Locale.ROOT,
                                "2026-11-29 17:%02d:%02d%nFull thread dump OpenJDK 64-Bit Server VM"
                                        + " (25.0.3+9-LTS mixed mode, sharing):%n%n",
                                30 + i / 6,
                                i % 6 * 10));
        for (int t = 1; t <= 10; t++) {
            boolean holds = t == 10;
            text.append(
                    String.format(
                            Locale.ROOT,
                            """
                            "http-nio-8080-exec-%1$d" #%1$d [%1$d] daemon prio=5 os_prio=0 cpu=10.00ms elapsed=%2$d.00s tid=0x00007faf2802a910 nid=%1$d %3$s  [0x00007faf2f3fe000]
                               java.lang.Thread.State: %4$s
                            	at com.acme.Ledger.post(Ledger.java:12)
                            	- %5$s <0x000000068e0b1c40> (a com.acme.Ledger)
                            	at com.acme.Orders.doGet(Orders.java:30)
                            	at org.apache.tomcat.util.net.SocketProcessorBase.run(SocketProcessorBase.java:49)
                            	at org.apache.tomcat.util.threads.ThreadPoolExecutor.runWorker(ThreadPoolExecutor.java:1189)
                            	at java.lang.Thread.run(java.base@25.0.3/Thread.java:1474)

                            """,
                            t,
                            100 + 10 * i,
                            holds ? "runnable" : "waiting for monitor entry",
                            holds ? "RUNNABLE" : "BLOCKED (on object monitor)",
                            holds ? "locked" : "waiting to lock"));
        }
        return text.append("JNI global refs: 31, weak refs: 0\n\n").toString();
    }

    @Test
    void diagnosesFilesRecordedElsewhere() throws IOException {
        Path recorded = Files.createDirectories(folder.resolve("recorded"));
        for (int i = 0; i < 12; i++) {
            Files.writeString(recorded.resolve("dump-" + i + ".txt"), dump(i));
        }
        Files.createSymbolicLink(recorded.resolve("away"), Path.of("/etc"));

        JsonNode all = answer("diagnose_files", Map.of("files", List.of("recorded")));
        JsonNode few =
                answer(
                        "diagnose_files",
                        Map.of("files", List.of("recorded/dump-1.txt", "recorded/dump-2.txt")));

        assertThat(all.at("/verdict/bottleneck").asString()).isEqualTo("lock");
        assertThat(all.get("files").size()).isEqualTo(12);
        assertThat(all.at("/target/missing").size()).isPositive();
        assertThat(all.has("census")).isFalse();
        assertThat(few.get("files").size()).isEqualTo(2);
        assertThat(few.at("/verdict/confidence").asDouble())
                .isLessThan(all.at("/verdict/confidence").asDouble());
    }

    @Test
    void refusesFilesOutsideFoldersAndOtherPaths() throws Exception {
        Files.createSymbolicLink(folder.resolve("outside"), Path.of("/etc/passwd"));
        Files.createDirectories(folder.resolve("empty"));
        List<List<String>> hostile =
                List.of(
                        List.of("../../../../../../etc/passwd"),
                        List.of("/etc"),
                        List.of("/dev/zero"),
                        List.of("outside"),
                        List.of("gc.log.gz", "outside"),
                        List.of("--out"),
                        List.of("@plan.yaml"),
                        List.of("none.txt"),
                        List.of("plan\u0000.yaml"),
                        List.of(" "));
        for (List<String> files : hostile) {
            assertThat(error("diagnose_files", Map.of("files", files)))
                    .as("%s", files)
                    .contains("why: ", "fix: ")
                    .doesNotContain("root:");
        }
        List<Object> wrongs =
                List.of(
                        List.of(),
                        "gc.log.gz",
                        List.of(7),
                        List.of(List.of("a")),
                        List.of("empty"),
                        List.of("plan.yaml"));
        for (Object wrong : wrongs) {
            assertThat(error("diagnose_files", Map.of("files", wrong))).contains("files");
        }
        assertThat(error("diagnose_files", Map.of())).contains("files");
    }

    @Test
    void errorsHaveReasonAndFix() throws IOException {
        Path elsewhere = folder.resolve("link");
        Files.createSymbolicLink(elsewhere, Path.of("/etc/passwd"));
        for (String said :
                List.of(
                        error("get_result", Map.of("id", "none")),
                        error("compare_results", Map.of("a", "day-00", "b", "day-")),
                        error("gc", Map.of("file", "../../../../../../etc/passwd")),
                        error("gc", Map.of("file", "link")),
                        error("gc", Map.of("file", "none.log")),
                        error("gc", Map.of("file", "plan.yaml", "result", "latest")),
                        error("gc", Map.of("result", "none")),
                        error("diagnose", Map.of()),
                        error("diagnose", Map.of("pid", Integer.MAX_VALUE, "seconds", 3)))) {
            assertThat(said).contains("why: ", "fix: ").doesNotContain("root:");
        }
        assertThat(error("get_result", Map.of("id", 3))).contains("id");
        assertThat(error("diagnose", Map.of("pid", "1; reboot"))).contains("pid");
        assertThat(error("trend", Map.of("plan", "shop"))).contains("figure");
        assertThat(error("list_results", Map.of("most", 100_000))).contains("most");
        assertThat(error("list_results", Map.of("sort", "x"))).contains("sort");
    }

    /// Claude Desktop starts its servers in `/`. Other clients start them in the home folder.
    @Test
    void offersNoFilesFromHomeFolder(@TempDir Path home) throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("home"), home);
        for (Path start : List.of(Path.of("/"), home, link)) {
            List<String> words = new ArrayList<>(jdyno());
            words.addAll(List.of("mcp", "--store", store().toString()));
            var builder = new ProcessBuilder(words).directory(start.toFile());
            builder.environment().put("HOME", home.toString());
            Process refused = builder.start();
            try {
                refused.outputWriter().close();
                String said =
                        new String(refused.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
                assertThat(refused.waitFor(2, TimeUnit.MINUTES)).isTrue();
                assertThat(refused.exitValue()).as("%s: %s", start, said).isEqualTo(2);
                assertThat(said).contains("--files", "why: ", "fix: ");
                assertThat(refused.inputReader().readLine()).isNull();
            } finally {
                refused.destroyForcibly();
            }
        }
    }

    @Tag("full") // measures a service
    @Test
    void sendsLoadOnlyIfAllowed() {
        List<String> allowing = new ArrayList<>(options());
        allowing.add("--allow-load");
        try (McpSyncClient loading = connected(allowing)) {
            assertThat(loading.listTools().tools())
                    .filteredOn(t -> t.name().equals("run"))
                    .singleElement()
                    .satisfies(t -> assertThat(t.annotations().readOnlyHint()).isFalse());
            McpSchema.CallToolResult refused =
                    loading.callTool(
                            McpSchema.CallToolRequest.builder("run")
                                    .arguments(Map.of("plan", "plan.yaml"))
                                    .build());
            assertThat(refused.isError()).as("nothing listens there").isTrue();
            assertThat(text(refused)).contains("127.0.0.1:1", "fix: ");
        }
    }

    /// The client cancels a diagnosis of ten minutes.
    @Tag("full") // watches a JVM for seconds
    @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @Test
    void cancelledDiagnosisEndsAndAllowsTheNext() throws Exception {
        List<String> words = new ArrayList<>(jdyno());
        words.add("mcp");
        words.addAll(options());
        Process serving =
                new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        long pid = ProcessHandle.current().pid();
        String call =
                """
                {"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"diagnose","arguments":{"pid":%d,"seconds":%d},"_meta":{"progressToken":1}}}
                """;
        try (var to = serving.outputWriter(StandardCharsets.UTF_8);
                var from = serving.inputReader(StandardCharsets.UTF_8)) {
            to.write(
                    """
                    {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
                    {"jsonrpc":"2.0","method":"notifications/initialized"}
                    """
                            + call.formatted(2, pid, 600));
            to.flush();
            JsonNode message = JsonMapper.shared().readTree(from.readLine());
            while (!message.path("method").asString("").equals("notifications/progress")) {
                message = JsonMapper.shared().readTree(from.readLine());
            }
            to.write(
                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":2}}\n");
            int next = 3;
            boolean refused = true;
            while (refused) {
                to.write(call.formatted(next, pid, 3));
                to.flush();
                while (message.path("id").asInt(0) != next) {
                    message = JsonMapper.shared().readTree(from.readLine());
                    assertThat(message.path("id").asInt(0)).as("cancelled").isNotEqualTo(2);
                }
                refused = message.at("/result/isError").asBoolean(false);
                next++;
            }
            assertThat(message.at("/result/structuredContent/target/pid").asLong()).isEqualTo(pid);
        } finally {
            serving.destroyForcibly();
        }
    }

    /// Standard output contains only messages of the protocol. The process ends when its input
    /// ends.
    @Test
    void printsOnlyRepliesAndEndsWithInput() throws Exception {
        List<String> words = new ArrayList<>(jdyno());
        words.add("mcp");
        words.addAll(options());
        Process serving =
                new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try {
            try (var to = serving.outputWriter(StandardCharsets.UTF_8)) {
                to.write(
                        """
                        {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
                        {"jsonrpc":"2.0","method":"notifications/initialized"}
                        no JSON
                        {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"gc","arguments":{"file":"gc.log.gz"}}}
                        """);
                to.flush();
                String first = String.valueOf(serving.inputReader().readLine());
                assertThat(JsonMapper.shared().readTree(first).at("/result/serverInfo/name"))
                        .hasToString("\"jdyno\"");
            }
            List<String> rest = serving.inputReader().lines().toList();
            assertThat(rest)
                    .allSatisfy(l ->
                            assertThat(JsonMapper.shared().readTree(l).get("jsonrpc").asString())
                                    .isEqualTo("2.0"));
            assertThat(serving.waitFor(5, TimeUnit.MINUTES)).isTrue();
            assertThat(serving.exitValue()).isZero();
        } finally {
            serving.destroyForcibly();
        }
    }
}
