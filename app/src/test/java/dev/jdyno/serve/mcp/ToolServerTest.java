package dev.jdyno.serve.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.history.History;
import dev.jdyno.history.Store;
import dev.jdyno.measure.Eventually;
import dev.jdyno.serve.StoredResults;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Messages of the protocol in the forms in which clients of different versions and systems send
/// them.
@Timeout(300)
class ToolServerTest {
    private static final String NEWEST = "2025-11-25";

    @SuppressWarnings("InlineFormatString") // a line of JSON
    private static final String VERDICT =
            """
            {"schema":"jdyno/diagnosis/1","verdict":{"bottleneck":"cpu","confidence":0.9,"says":"it"}%s}
            """;

    private static final String DIAGNOSE =
            """
            {"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"diagnose","arguments":{"pid":1},"_meta":{"progressToken":"p"}}}
            """;

    @TempDir private Path folder;

    private final PipedOutputStream toServer = new PipedOutputStream();
    private final StringWriter errors = new StringWriter();
    private final CountDownLatch measures = new CountDownLatch(1);
    private final AtomicInteger measured = new AtomicInteger();
    private final List<JsonNode> received = new ArrayList<>();
    private BufferedReader fromServer = new BufferedReader(new StringReader(""));
    private Thread serving = new Thread(() -> {});
    private String end = "\n";

    @BeforeEach
    void serve() throws IOException {
        var in = new PipedInputStream(toServer, 1 << 20);
        var out = new PipedOutputStream();
        fromServer =
                new BufferedReader(
                        new InputStreamReader(
                                new PipedInputStream(out, 1 << 20), StandardCharsets.UTF_8));
        var tools =
                new Tools(
                        new StoredResults(History.open(new Store.File(folder.resolve("h.db")))),
                        Folders.of(List.of(folder)),
                        this::verb,
                        false);
        serving =
                Thread.ofPlatform()
                        .start(() -> {
                            try (out) {
                                ToolServer.serve(
                                        in, out, new PrintWriter(errors, true), tools, "test");
                            } catch (IOException broken) {
                                throw new IllegalStateException(broken);
                            }
                        });
    }

    @AfterEach
    void close() throws Exception {
        toServer.close();
        serving.join();
    }

    /// The first measurement runs until it is cancelled. Later ones return at once.
    private Verb.Outcome verb(List<String> words, Caller caller) {
        caller.progress().accept("begun");
        if (measured.incrementAndGet() > 1) {
            return new Verb.Outcome(0, VERDICT.formatted(manyPrescriptions()), "");
        }
        measures.countDown();
        Eventually.until("the cancellation", () -> caller.cancelled().getAsBoolean());
        caller.progress().accept("after the cancellation");
        return new Verb.Outcome(130, "", "interrupted");
    }

    private static String manyPrescriptions() {
        var all = new StringBuilder(",\"prescriptions\":[{\"id\":\"0\",\"says\":\"\"}");
        for (int i = 1; i < 3000; i++) {
            all.append(",{\"id\":\"").append(i).append("\",\"says\":\"do \\\"this\\\" at once\"}");
        }
        return all.append(']').toString();
    }

    private void send(String... lines) throws IOException {
        for (String line : lines) {
            toServer.write((line.strip() + end).getBytes(StandardCharsets.UTF_8));
        }
        toServer.flush();
    }

    private JsonNode answer(String id) throws IOException {
        String line;
        while ((line = fromServer.readLine()) != null) {
            JsonNode message = JsonMapper.shared().readTree(line);
            received.add(message);
            if (message.path("id").toString().equals(id)) {
                assertThat(line.getBytes(StandardCharsets.UTF_8).length)
                        .isLessThan(ShortAnswer.MAX_BYTES);
                return message;
            }
        }
        throw new AssertionError("no answer to " + id + ", but " + received);
    }

    private JsonNode initialize(String version) throws IOException {
        send(
                """
                {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"%s","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
                """
                        .formatted(version));
        JsonNode first = answer("1");
        send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        return first;
    }

    @ParameterizedTest
    @CsvSource({
        "2024-11-05, 2024-11-05",
        "2025-03-26, 2025-03-26",
        "2025-06-18, 2025-06-18",
        "2025-11-25, 2025-11-25",
        "2099-01-01, " + NEWEST,
        "1.0, " + NEWEST
    })
    void usesRequestedVersionOrNewest(String asked, String spoken) throws IOException {
        assertThat(initialize(asked).at("/result/protocolVersion").asString()).isEqualTo(spoken);
        send("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}");
        assertThat(answer("2").at("/result/tools").size()).isEqualTo(7);
    }

    /// Shells of Windows write these line ends, and some write a byte order mark before the first
    /// line.
    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n"})
    void acceptsLineEndsOfClient(String ending) throws IOException {
        end = ending;
        toServer.write("\uFEFF".getBytes(StandardCharsets.UTF_8));
        initialize(NEWEST);
        send("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}");

        assertThat(answer("2").has("result")).isTrue();
        assertThat(errors.toString()).isEmpty();
    }

    @Test
    void messagesInAListAreAnsweredEach() throws IOException {
        initialize("2025-03-26");
        send(
                """
                [{"jsonrpc":"2.0","id":2,"method":"ping"},{"jsonrpc":"2.0","id":"b","method":"tools/list"}]
                """,
                "[]",
                "[1]");

        assertThat(answer("2").has("result")).isTrue();
        assertThat(answer("\"b\"").at("/result/tools").size()).isEqualTo(7);
        Eventually.until("both others", () -> errors.toString().lines().count() == 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"7", "\"7\"", "\"call-1\""})
    void aCancelledMeasurementStopsAndIsNotAnswered(String id) throws Exception {
        initialize(NEWEST);
        send(DIAGNOSE.formatted(id));
        measures.await();
        send("{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"ping\"}");
        assertThat(answer("8").has("result")).as("meanwhile").isTrue();
        send(
                """
                {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99,"reason":"another"}}
                """,
                """
                {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s,"reason":"too long"}}
                """
                        .formatted(id));

        // the id is refused until the first call has ended
        int next = 100;
        send(DIAGNOSE.formatted(next));
        while (answer(Integer.toString(next)).at("/result/isError").asBoolean(false)) {
            next++;
            send(DIAGNOSE.formatted(next));
        }

        toServer.close();
        String line;
        while ((line = fromServer.readLine()) != null) {
            received.add(JsonMapper.shared().readTree(line));
        }
        assertThat(received).noneMatch(m -> m.path("id").toString().equals(id));
        assertThat(received.toString()).contains("begun").doesNotContain("after the cancellation");
    }

    @Test
    void refusesDuplicateIdAndKeepsCancellation() throws Exception {
        initialize(NEWEST);
        send(DIAGNOSE.formatted(7));
        measures.await();
        send(
                DIAGNOSE.formatted(7),
                """
                {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}
                """,
                DIAGNOSE.formatted(7));
        assertThat(answer("7").at("/error/code").asInt()).isEqualTo(-32_600);

        // the third call is either refused or runs, because the first one has ended
        assertThat(answer("7").has("jsonrpc")).isTrue();
        int next = 100;
        send(DIAGNOSE.formatted(next));
        while (answer(Integer.toString(next)).at("/result/isError").asBoolean(false)) {
            next++;
            send(DIAGNOSE.formatted(next));
        }
        assertThat(received.toString()).doesNotContain("after the cancellation");
    }

    @Test
    void aLongAnswerIsShortenedAndItsVerdictStays() throws IOException {
        initialize(NEWEST);
        measured.incrementAndGet();
        send(DIAGNOSE.formatted(2));

        JsonNode result = answer("2").get("result");

        JsonNode document = result.get("structuredContent");
        assertThat(document.at("/verdict/bottleneck").asString()).isEqualTo("cpu");
        assertThat(document.get("prescriptions").size()).isBetween(100, 2999);
        assertThat(document.at("/leftOut/0/of").asInt()).isEqualTo(3000);
        assertThat(JsonMapper.shared().readTree(result.at("/content/0/text").asString()))
                .isEqualTo(document);
    }
}
