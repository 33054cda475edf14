package dev.jdyno.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.jdyno.load.http2.Http2Frames;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.request.LoadSpecBuilder;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.load.ReplyRules;
import dev.jdyno.measure.load.ReplyTimes;
import dev.jdyno.measure.load.SlowRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Each request has its own `traceparent`, which also identifies the slowest requests.
class TraceTest {
    private static final int REQUESTS = 50;
    private static final Pattern FORM = Pattern.compile("00-([0-9a-f]{32})-([0-9a-f]{16})-01");
    private static final ReplyRules TRACE =
            new ReplyRules(false, Optional.empty(), true, Optional.empty());

    private static LoadWindow load(LoadSpecBuilder spec) {
        var all = spec.loops(1).mostRequests(REQUESTS).build();
        try (var session = LoadSession.start(all, NanoClock.SYSTEM)) {
            session.apply(new Level.Closed(4, Duration.ZERO));
            return Taken.all(session);
        }
    }

    private static List<SlowRequest> slowest(LoadWindow w) {
        assertThat(w.requests()).isEqualTo(REQUESTS);
        return w.replies().times(w.seconds()).map(ReplyTimes::slowest).orElseThrow();
    }

    /// Values of the received header, in the order of arrival.
    private static List<SlowRequest> seen(LoadSpecBuilder spec, Queue<String> values)
            throws IOException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
        server.createContext(
                "/",
                e -> {
                    values.addAll(e.getRequestHeaders().getOrDefault("traceparent", List.of("")));
                    e.getRequestBody().readAllBytes();
                    e.sendResponseHeaders(200, 2);
                    e.getResponseBody().write(new byte[2]);
                    e.close();
                });
        server.start();
        try {
            URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
            return slowest(load(LoadSpec.to(url).replies(spec.build().replies())));
        } finally {
            server.stop(0);
        }
    }

    private static void areValid(Queue<String> values, List<SlowRequest> slowest) {
        var traces = new HashSet<String>();
        var requests = new HashSet<String>();
        for (String value : values) {
            Matcher m = FORM.matcher(value);
            assertThat(m.matches()).as(value).isTrue();
            traces.add(m.group(1));
            requests.add(m.group(2));
        }
        assertThat(traces).hasSize(REQUESTS);
        assertThat(requests).hasSize(REQUESTS);
        assertThat(slowest).hasSize(10);
        assertThat(traces).containsAll(slowest.stream().map(SlowRequest::traceId).toList());
        assertThat(slowest.stream().map(SlowRequest::ms))
                .isSortedAccordingTo(java.util.Comparator.reverseOrder());
    }

    @Test
    void everyRequestHasItsOwnTrace() throws IOException {
        var values = new ConcurrentLinkedQueue<String>();
        List<SlowRequest> slowest =
                seen(LoadSpec.to(URI.create("http://unused/")).replies(TRACE), values);

        areValid(values, slowest);
    }

    @Test
    void sendsNoTraceWithoutOption() throws IOException {
        var values = new ConcurrentLinkedQueue<String>();
        List<SlowRequest> slowest = seen(LoadSpec.to(URI.create("http://unused/")), values);

        assertThat(values).hasSize(REQUESTS).containsOnly("");
        assertThat(slowest).isEmpty();
    }

    @Test
    void requestsOverHttp2HaveTheSame() throws IOException {
        var values = new ConcurrentLinkedQueue<String>();
        try (var server =
                new ScriptedHttp2Server(
                        new byte[0],
                        (frame, number, peer) -> {
                            if (frame.type() == Http2Frames.HEADERS) {
                                String block =
                                        new String(
                                                frame.payload().shared(),
                                                StandardCharsets.ISO_8859_1);
                                values.add(block.substring(block.indexOf("00-")).substring(0, 55));
                                peer.ok(2 * number - 1);
                            }
                        })) {
            areValid(values, slowest(load(LoadSpec.to(server.url()).http2(4).replies(TRACE))));
        }
    }
}
