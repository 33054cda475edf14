package dev.jdyno.load.journey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.load.LoadSession;
import dev.jdyno.load.ScriptedServer;
import dev.jdyno.load.Taken;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.reply.ReplyText;
import dev.jdyno.load.request.Body;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.request.LoadSpec.Header;
import dev.jdyno.load.request.RequestParts;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.load.wire.SocketFailure;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.FailureReason;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedirectsTest {
    private static final int REQUESTS = 20;

    private final ConcurrentLinkedQueue<String> requests = new ConcurrentLinkedQueue<>();

    /// A server that answers `/to/X` with a 302 to X (`_` for `/`), and everything else with 200.
    private ScriptedServer server() throws IOException {
        return new ScriptedServer((request, out) -> {
            requests.add(request.substring(0, request.lastIndexOf(' ')));
            String path = request.split(" ")[1];
            String reply =
                    path.startsWith("/to/")
                            ? "HTTP/1.1 302 Found\r\nLocation: "
                                    + path.substring(4).replace('_', '/')
                                    + "\r\nContent-Length: 4\r\n\r\ngone"
                            : ScriptedServer.OK;
            out.write(reply.getBytes(StandardCharsets.ISO_8859_1));
            return true;
        });
    }

    private LoadWindow load(ScriptedServer server, String path, int max) {
        var spec =
                LoadSpec.to(server.url().resolve(path))
                        .loops(1)
                        .followRedirects(max)
                        .mostRequests(REQUESTS)
                        .build();
        try (var session = LoadSession.start(spec, NanoClock.SYSTEM)) {
            session.apply(new Level.Closed(2, Duration.ZERO));
            return Taken.all(session);
        }
    }

    @Test
    void redirectIsAReplyUnlessFollowed() throws IOException {
        try (var server = server()) {
            LoadWindow w = load(server, "/to/_end", 0);

            assertThat(w.requests()).isEqualTo(REQUESTS);
            assertThat(w.statuses()).containsOnlyKeys(302);
            assertThat(w.redirects()).isEqualTo(REQUESTS);
            assertThat(w.detours().redirectNanos().getTotalCount()).isZero();
        }
    }

    @Test
    void aFollowedRequestIsOneRequestUntilItsLastReply() throws IOException {
        try (var server = server()) {
            LoadWindow w = load(server, "/to/_end", 5);

            assertThat(w.requests()).isEqualTo(REQUESTS);
            assertThat(w.errors()).isZero();
            assertThat(w.statuses()).containsEntry(302, 20L).containsEntry(200, 20L);
            assertThat(w.detours().redirectNanos().getTotalCount()).isEqualTo(REQUESTS);
            assertThat(w.latencyNanos().getTotalCount()).isEqualTo(REQUESTS);
            assertThat(w.latencyNanos().getMaxValue())
                    .isGreaterThan(w.detours().redirectNanos().getMinValue());
            assertThat(requests).contains("GET /to/_end", "GET /end");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/to/_to__to__to_end, 2, REDIRECTS_TOO_MANY",
        "/to/http:__127.0.0.2_end, 5, REDIRECT_ELSEWHERE",
    })
    void unfollowedRedirectIsAnErrorWithReason(String path, int max, FailureReason why)
            throws IOException {
        try (var server = server()) {
            LoadWindow w = load(server, path, max);

            assertThat(w.errorKinds()).containsOnlyKeys("redirect");
            assertThat(w.errors()).isEqualTo(REQUESTS);
            assertThat(w.failures()).hasSize(1);
            assertThat(w.failures().getFirst().reason()).isEqualTo(why);
            assertThat(w.failures().getFirst().count()).isEqualTo(REQUESTS);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "301, POST, GET",
        "302, POST, GET",
        "303, POST, GET",
        "307, POST, POST",
        "308, POST, POST",
        "301, GET, GET",
        "302, PUT, PUT",
        "303, PUT, GET",
        "303, HEAD, HEAD",
    })
    void methodOfTheNextHopFollowsRfc9110(int status, String method, String next) {
        var parts =
                new RequestParts(
                        method,
                        "/a",
                        List.of(new Header("Content-Type", "text/plain"), new Header("A", "b")),
                        Body.of("x"));

        RequestParts hop = parts.redirected(status, "/b");

        assertThat(hop.method()).isEqualTo(next);
        assertThat(hop.target()).isEqualTo("/b");
        assertThat(hop.body().length()).isEqualTo(next.equals(method) ? 1 : 0);
        assertThat(hop.headers()).hasSize(next.equals(method) ? 2 : 1);
    }

    /// A step whose replies all fail a check, some of them by a limit of expressions.
    private static final class FailingStep implements Script {
        private final ReplyText reply = ReplyText.ofHead();
        private Optional<SocketFailure> limit = Optional.empty();

        @Override
        public byte[] next() {
            return new byte[0];
        }

        @Override
        public RequestParts parts() {
            return new RequestParts("GET", "/", List.of(), Body.NONE);
        }

        @Override
        public boolean isHead() {
            return false;
        }

        @Override
        public ReplyText reply() {
            return reply;
        }

        @Override
        public int step() {
            return 0;
        }

        @Override
        public Judgement judge(int status) {
            return Judgement.CHECK_FAILED;
        }

        @Override
        public void failed() {
            // nothing to begin again
        }

        @Override
        public Optional<SocketFailure> failure() {
            return limit;
        }
    }

    @Test
    void reasonIsThatOfTheLastReply() {
        var step = new FailingStep();
        var spec = LoadSpec.to(URI.create("http://127.0.0.1:1/")).build();
        var redirects = new Redirects(step, spec, 1);

        byte[] elsewhere =
                "HTTP/1.1 302 Found\r\nLocation: http://elsewhere/\r\n\r\n"
                        .getBytes(StandardCharsets.ISO_8859_1);
        step.reply.startHead(elsewhere, 0, elsewhere.length);
        assertThat(redirects.judge(302)).isEqualTo(Script.Judgement.REDIRECT_FAILED);
        assertThat(redirects.failure().map(SocketFailure::reason))
                .contains(FailureReason.REDIRECT_ELSEWHERE);

        byte[] good = "HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);
        step.reply.startHead(good, 0, good.length);
        assertThat(redirects.judge(200)).isEqualTo(Script.Judgement.CHECK_FAILED);
        assertThat(redirects.failure()).isEmpty();

        step.limit =
                Optional.of(
                        new SocketFailure(ErrorKind.CHECK, FailureReason.EXPRESSION_TOO_DEEP, ""));
        assertThat(redirects.judge(200)).isEqualTo(Script.Judgement.CHECK_FAILED);
        assertThat(redirects.failure()).isEqualTo(step.limit);
    }
}
