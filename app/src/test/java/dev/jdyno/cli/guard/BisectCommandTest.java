package dev.jdyno.cli.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.cli.Main;
import dev.jdyno.measure.text.ShellText;
import dev.jdyno.repository.TinyRepository;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A small service in a git repository, built by javac, one commit of which takes more CPU time.
class BisectCommandTest {
    private static final int COMMITS = 5;
    private static final int DEARER = 4;
    private static final int BROKEN = 2;
    private static final int CHEAP_ROUNDS = 400_000;
    private static final int DEAR_ROUNDS = 700_000;

    private static final String SHOP =
            """
            import com.sun.net.httpserver.HttpServer;
            import java.net.InetSocketAddress;
            import java.util.concurrent.Executors;

            public class Shop {
                public static void main(String[] args) throws Exception {
                    HttpServer server =
                            HttpServer.create(
                                    new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])), 0);
                    server.createContext("/", exchange -> {
                        byte[] body = Long.toString(Price.of(exchange.hashCode())).getBytes();
                        exchange.sendResponseHeaders(200, body.length);
                        exchange.getResponseBody().write(body);
                        exchange.close();
                    });
                    server.setExecutor(Executors.newFixedThreadPool(4));
                    server.start();
                }
            }
            """;

    @TempDir Path folder;
    private TinyRepository shop;
    private final List<String> commits = new ArrayList<>();

    /// The loop counts with a `long`, because the JVM has no safepoints in a loop counted by an
    /// `int`. The samples would show the caller instead.
    private static String price(int rounds) {
        return """
        public class Price {
            static long of(long seed) {
                long x = seed;
                for (long i = 0; i < %d; i++) {
                    x = x * 6364136223846793005L + 1442695040888963407L ^ x >>> 17;
                }
                return x;
            }
        }
        """
                .formatted(rounds);
    }

    private static String tool(String name) {
        return ShellText.word(Path.of(System.getProperty("java.home"), "bin", name).toString());
    }

    @BeforeEach
    void make() throws Exception {
        shop = new TinyRepository(folder.resolve("shop"));
        for (int i = 0; i <= COMMITS; i++) {
            String other = i == BROKEN ? "class Other {" : "class Other { int x = " + i + "; }\n";
            commits.add(
                    shop.commit(
                            "Change " + i,
                            Map.of(
                                    "src/Shop.java",
                                    SHOP,
                                    "src/Price.java",
                                    price(i < DEARER ? CHEAP_ROUNDS : DEAR_ROUNDS),
                                    "src/Other.java",
                                    other)));
        }
        plan("build: \"" + tool("javac") + " -d out src/*.java\"\n");
    }

    private void plan(String more) throws IOException {
        Files.writeString(
                shop.root().resolve("plan.yaml"),
                "name: shop\nurl: http://127.0.0.1:{port}/\n"
                        + "target: {launch: \""
                        + tool("java")
                        + " -Xmx64m -XX:+UseSerialGC -cp out Shop {port}\"}\n"
                        + more);
    }

    private record Ended(int code, String out, String err) {}

    private Ended guard(String... options) {
        var out = new StringWriter();
        var err = new StringWriter();
        List<String> all =
                new ArrayList<>(List.of("guard", shop.root().resolve("plan.yaml").toString()));
        all.addAll(List.of(options));
        int code =
                Main.run(
                        new PrintWriter(out, true),
                        new PrintWriter(err, true),
                        all.toArray(String[]::new));
        return new Ended(code, out.toString(), err.toString());
    }

    @Tag("full") // a service is started some thirty times
    @Test
    void theCommitIsNamedWithItsMethodAndItsLines() throws Exception {
        Path out = folder.resolve("result");
        Ended ended =
                guard(
                        "--bisect",
                        commits.getFirst() + "..main",
                        "--json",
                        "--block",
                        "2s",
                        "--warmup",
                        "4s",
                        "--budget",
                        "15m",
                        "--out",
                        out.toString());
        assertThat(ended.code()).as(ended.out() + ended.err()).isEqualTo(4);
        JsonNode json = JsonMapper.builder().build().readTree(ended.out());
        assertThat(json.get("verdict").asString()).isEqualTo("found");
        JsonNode found = json.get("found").get("commits");
        assertThat(found.size()).isEqualTo(1);
        assertThat(found.get(0).get("commit").asString()).isEqualTo(commits.get(DEARER));
        assertThat(found.get(0).get("subject").asString()).isEqualTo("Change " + DEARER);
        assertThat(json.get("figure").asString()).isEqualTo("cpuMsPerRequest");
        assertThat(json.get("grew").get(0).get("method").asString()).isEqualTo("Price.of");
        assertThat(json.get("diff").get(0).get("file").asString()).isEqualTo("src/Price.java");
        assertThat(json.get("diff").get(0).get("lines").toString())
                .contains(Integer.toString(DEAR_ROUNDS));
        assertThat(shop.git("worktree", "list").lines()).hasSize(1);
        assertThat(out.resolve("worktrees")).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"main", "..main", "main..", "main...main", "a..b", "main..main", "-x..-y"})
    void refusesInvalidRange(String range) {
        assertThat(guard("--bisect=" + range).code()).isEqualTo(2);
    }

    @Test
    void optionsThatDoNotFitAreRefused() {
        String range = commits.getFirst() + "..main";
        assertThat(guard("--bisect", range, "--markdown").code()).isEqualTo(2);
        assertThat(guard("--bisect", range, "--accept", "x").code()).isEqualTo(2);
        assertThat(guard("--bisect", range, "--confidence", "40%").code()).isEqualTo(2);
        assertThat(guard("--bisect", range, "--resume", folder.toString()).code()).isEqualTo(2);
        assertThat(guard("--confidence", "90%").code()).isEqualTo(2);
    }

    @Test
    void reportsEndThatDoesNotBuildAndRemovesWorkingTree() throws Exception {
        Path out = folder.resolve("result");
        Ended ended =
                guard(
                        "--bisect",
                        commits.getFirst() + ".." + commits.get(BROKEN),
                        "--quiet",
                        "--out",
                        out.toString());
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.err()).contains(commits.get(BROKEN).substring(0, 8), "Other.java");
        assertThat(shop.git("worktree", "list").lines()).hasSize(1);
    }

    @Test
    void aBuildThatAllCommitsWouldShareIsRefused() throws Exception {
        Files.writeString(
                shop.root().resolve("plan.yaml"),
                "url: http://127.0.0.1:{port}/\ntarget: {launch: \"java -cp "
                        + shop.root().toRealPath()
                        + "/out Shop {port}\"}\n");
        assertThat(guard("--bisect", commits.getFirst() + "..main").code()).isEqualTo(2);
    }
}
