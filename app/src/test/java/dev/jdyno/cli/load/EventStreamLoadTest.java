package dev.jdyno.cli.load;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.cli.Main;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// `jdyno load` against a Tomcat servlet that sends an event stream asynchronously.
class EventStreamLoadTest {
    /// So long that a client on a busy machine still reads the parts one by one.
    private static final int APART_MS = 100;

    private static final int REQUESTS = 20;

    /// Sends its head, then three events, then the end marker, with a pause before each. With
    /// `?endless` it sends events without end.
    private static final class Stream extends HttpServlet {
        private static final long serialVersionUID = 1L;
        private static final List<String> EVENTS =
                List.of("data: a\n\n", "data: b\n\n", "data: c\n\n", "data: [DONE]\n\n");

        private final transient ScheduledExecutorService timer;
        private final transient Queue<String> traces;

        Stream(ScheduledExecutorService timer, Queue<String> traces) {
            this.timer = timer;
            this.traces = traces;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            String trace = request.getHeader("traceparent");
            if (trace != null) {
                traces.add(trace.split("-", -1)[1]);
            }
            response.setContentType("text/event-stream");
            if ("endless".equals(request.getQueryString())) {
                endless(response);
            }
            AsyncContext async = request.startAsync();
            response.flushBuffer();
            later(async, 0);
        }

        /// Sends events until an exception shows that the client closed the connection.
        private static void endless(HttpServletResponse response) throws IOException {
            while (true) {
                response.getOutputStream().write(EVENTS.getFirst().getBytes(US_ASCII));
                response.flushBuffer();
            }
        }

        private void later(AsyncContext async, int event) {
            var _ = timer.schedule(() -> send(async, event), APART_MS, TimeUnit.MILLISECONDS);
        }

        private void send(AsyncContext async, int event) {
            try {
                async.getResponse().getOutputStream().write(EVENTS.get(event).getBytes(US_ASCII));
                async.getResponse().flushBuffer();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            if (event + 1 < EVENTS.size()) {
                later(async, event + 1);
            } else {
                async.complete();
            }
        }
    }

    private record Outcome(int exit, String out, String err) {}

    @TempDir Path folder;

    private final Queue<String> traces = new ConcurrentLinkedQueue<>();
    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
    private final Tomcat tomcat = new Tomcat();
    private String url;

    @BeforeEach
    void start() throws LifecycleException {
        tomcat.setBaseDir(folder.toString());
        var connector = new Connector();
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        connector.addUpgradeProtocol(new Http2Protocol());
        tomcat.setConnector(connector);
        Context root = tomcat.addContext("", folder.toString());
        var servlet = Tomcat.addServlet(root, "events", new Stream(timer, traces));
        servlet.setAsyncSupported(true);
        servlet.addMapping("/");
        tomcat.start();
        url = "http://127.0.0.1:" + connector.getLocalPort() + "/";
    }

    @AfterEach
    void stop() throws LifecycleException {
        tomcat.stop();
        tomcat.destroy();
        timer.shutdownNow();
    }

    private Outcome load(List<String> more) {
        var out = new StringWriter();
        var err = new StringWriter();
        List<String> args = new ArrayList<>(List.of("load", url, "--anyway", "--quiet"));
        args.addAll(more);
        int exit =
                Main.run(
                        new PrintWriter(out, true),
                        new PrintWriter(err, true),
                        args.toArray(String[]::new));
        return new Outcome(exit, out.toString(), err.toString());
    }

    private JsonNode json(String... more) {
        List<String> args = new ArrayList<>(List.of("-n", "" + REQUESTS, "-c", "4", "--json"));
        args.addAll(List.of(more));
        Outcome o = load(args);
        assertThat(o.exit()).as("%s", o).isZero();
        JsonNode json = JsonMapper.shared().readTree(o.out());
        assertThat(json.get("requests").asInt()).isEqualTo(REQUESTS);
        return json;
    }

    private static double p50(JsonNode times) {
        return times.get("p50").asDouble();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--spin=0us", "--http2-prior-knowledge"})
    void reportsHeadFirstEventAndEndSeparately(String protocol) {
        JsonNode json = json(protocol, "--reply-until", "[DONE]");

        JsonNode replies = json.get("replies");
        JsonNode events = replies.get("events");
        assertThat(events.get("events").asInt()).isEqualTo(3 * REQUESTS);
        assertThat(p50(replies.get("ttfbMs"))).isLessThan(p50(replies.get("firstBodyMs")));
        assertThat(p50(events.get("firstMs"))).isLessThan(p50(json.get("rtMs")));
        assertThat(json.get("rtMs").get("max").asDouble()).isGreaterThan(4 * APART_MS * 0.99);
        assertThat(events.get("betweenMs").get("max").asDouble()).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"1 event, 1", "2 events, 2"})
    void replyEndsAfterTheGivenNumberOfEvents(String rule, int events) {
        url += "?endless";
        JsonNode json = json("--reply-until", rule);

        assertThat(json.get("replies").get("events").get("events").asInt())
                .isEqualTo(events * REQUESTS);
    }

    @Test
    void serviceReceivesTraceIdsOfTheSlowestRequests() {
        JsonNode json = json("--trace", "--trace-url", "http://tempo:3000/trace/{id}");

        assertThat(traces).hasSize(REQUESTS).doesNotHaveDuplicates();
        JsonNode slowest = json.get("replies").get("slowest");
        assertThat(slowest).hasSize(10);
        for (JsonNode request : slowest) {
            assertThat(traces).contains(request.get("traceId").asString());
        }
        assertThat(json.get("traceUrl").asString()).isEqualTo("http://tempo:3000/trace/{id}");
    }

    @Test
    void summaryHasARowForEachTimeOfTheStream() {
        Outcome o = load(List.of("-n", "8", "-c", "2", "--trace", "--trace-url", "http://t/{id}"));

        assertThat(o.out().lines().map(l -> l.split("  ", 2)[0]))
                .contains("first byte", "of the body", "first event", "between", "events")
                .contains("slowest");
        assertThat(traces).anyMatch(id -> o.out().contains("http://t/" + id));
    }

    @ParameterizedTest
    @CsvSource({
        "--reply-until, 20",
        "--reply-until, 0 events",
        "--trace-url, http://tempo/{id}",
        "--trace-url, tempo",
    })
    void invalidOptionGivesOneError(String option, String value) {
        Outcome o = load(List.of(option, value));

        assertThat(o.exit()).isEqualTo(2);
        assertThat(o.err().lines().filter(l -> l.contains(option))).isNotEmpty();
        assertThat(o.out()).isEmpty();
    }

    @Test
    void traceHeaderOfTheUserIsKept() {
        Outcome o = load(List.of("--trace", "-H", "Traceparent: 00-1-2-01"));

        assertThat(o.exit()).isEqualTo(2);
        assertThat(o.err()).contains("--trace");
    }
}
