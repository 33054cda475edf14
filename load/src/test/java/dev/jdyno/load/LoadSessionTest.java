package dev.jdyno.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.load.pacing.Arrivals;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.request.LoadSpecBuilder;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.load.wire.Transport;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class LoadSessionTest {
    private static final Level.Closed TWO_USERS = new Level.Closed(2, Duration.ZERO);

    private static LoadSpecBuilder to(ScriptedServer server) {
        return LoadSpec.to(server.url()).loops(1);
    }

    private static LoadSession start(LoadSpecBuilder spec) {
        return LoadSession.start(spec.build(), NanoClock.SYSTEM);
    }

    @ParameterizedTest
    @EnumSource(names = {"EPOLL", "NIO"})
    void closedModelUsersReuseConnections(Transport transport) throws IOException {
        try (var server = ScriptedServer.saying(ScriptedServer.OK);
                var session = start(to(server).transport(transport))) {
            session.apply(TWO_USERS);

            LoadWindow w = Taken.until(session, x -> x.requests() > 500);

            assertThat(w.errors()).isZero();
            assertThat(w.statuses()).containsOnlyKeys(200);
            assertThat(w.latencyNanos().getTotalCount()).isEqualTo(w.requests());
            assertThat(w.serviceNanos().getTotalCount()).isEqualTo(w.requests());
            assertThat(server.connections).hasValue(2);
            assertThat(w.bytesRead())
                    .isGreaterThanOrEqualTo(w.requests() * ScriptedServer.OK.length());
        }
    }

    @Test
    void levelChangesRunningLoad() throws IOException {
        try (var server = ScriptedServer.saying(ScriptedServer.OK);
                var session = start(to(server).loops(2))) {
            session.apply(new Level.Closed(3, Duration.ZERO));
            Taken.until(session, x -> x.requests() > 50);
            session.apply(new Level.Closed(8, Duration.ZERO));
            Taken.until(session, x -> x.requests() > 50 && server.connections.get() == 8);
            session.apply(new Level.Closed(2, Duration.ZERO));
            Taken.until(session, x -> x.inFlight() <= 2);
            session.apply(new Level.Idle());
            Taken.until(session, x -> x.inFlight() == 0);

            LoadWindow idle = session.take();

            assertThat(idle.requests()).isZero();
            assertThat(idle.errors()).isZero();
            assertThat(server.connections).hasValue(8);

            session.apply(TWO_USERS);
            Taken.until(session, x -> x.requests() > 10);
            assertThat(server.connections).as("the two kept ones are used again").hasValue(8);
        }
    }

    @Test
    void sendsAtMostAllowedRequests() throws IOException {
        try (var server = ScriptedServer.saying(ScriptedServer.OK);
                var session = start(to(server).loops(2).mostRequests(321))) {
            session.apply(new Level.Closed(7, Duration.ZERO));

            LoadWindow before = Taken.until(session, _ -> session.isFinished());
            LoadWindow w = before.plus(session.take());

            assertThat(w.requests()).isEqualTo(321);
            assertThat(server.requests).hasValue(321);
        }
    }

    @Test
    void thinkTimeLowersRateButNotLatency() throws IOException {
        try (var server = ScriptedServer.saying(ScriptedServer.OK);
                var session = start(to(server))) {
            session.apply(new Level.Closed(40, Duration.ofMillis(500)));

            LoadWindow w = Taken.until(session, x -> x.requests() >= 40);

            assertThat(w.qps()).as("40 users / 500 ms at most").isLessThan(85);
            assertThat(w.latency().p50()).as("half of a pause").isLessThan(250);
        }
    }

    @Test
    void usersWithThinkTimeStartSpreadOverOnePause() throws IOException {
        try (var server = ScriptedServer.saying(ScriptedServer.OK);
                var session = start(to(server))) {
            // a pause that is long compared with a stop of the machine
            session.apply(new Level.Closed(10, Duration.ofSeconds(10)));

            LoadWindow w = Taken.until(session, x -> x.seconds() > 1 && x.requests() >= 2);

            assertThat(w.requests()).as("of 10 users").isLessThanOrEqualTo(8);
            assertThat(w.seconds()).as("less than the pause").isLessThan(10);
        }
    }

    @ParameterizedTest
    @EnumSource
    void openModelSendsAtItsRate(Arrivals arrivals) throws IOException {
        try (var server = ScriptedServer.saying(ScriptedServer.OK);
                var session = start(to(server).loops(2))) {
            session.apply(new Level.Open(10, 1000, arrivals));

            LoadWindow w = Taken.atRate(session, 1.2, 800, 1200);

            assertThat(w.qps()).isBetween(800.0, 1200.0);
            assertThat(w.errors()).isZero();
            assertThat(w.sendErrorNanos().getTotalCount() + w.backlogged() + w.inFlight())
                    .isGreaterThanOrEqualTo(w.requests());
        }
    }

    @Test
    void serverStallShowsOnlyInLatencyFromIntendedStart() throws IOException {
        var requests = new java.util.concurrent.atomic.AtomicInteger();
        var stall = new Object();
        try (var server =
                        new ScriptedServer((_, out) -> {
                            synchronized (stall) {
                                if (requests.incrementAndGet() == 300) {
                                    // sleeps: the stall of the server
                                    Thread.sleep(1000);
                                }
                            }
                            out.write(ScriptedServer.OK.getBytes(StandardCharsets.ISO_8859_1));
                            return true;
                        });
                var session = start(to(server))) {
            session.apply(new Level.Open(4, 500, Arrivals.CONSTANT));

            LoadWindow w = Taken.until(session, x -> x.requests() >= 1400);

            assertThat(w.latency().p99()).as("corrected").isGreaterThan(500);
            assertThat(w.service().p99()).as("uncorrected").isLessThan(w.latency().p99());
            assertThat(w.backlogged()).isGreaterThan(200);
        }
    }

    @Test
    void countsArrivalsBeyondBacklogAsDropped() throws IOException {
        try (var server =
                        new ScriptedServer((_, _) -> {
                            // sleeps: no reply within the test
                            Thread.sleep(600_000);
                            return false;
                        });
                var session = start(to(server).mostBacklog(10))) {
            session.apply(new Level.Open(1, 1000, Arrivals.CONSTANT));

            LoadWindow w = Taken.until(session, x -> x.errors() > 100);

            assertThat(w.errorKinds()).containsOnlyKeys("dropped");
            assertThat(w.backlogMost()).isEqualTo(10);
            assertThat(w.inFlight()).isEqualTo(11);
        }
    }

    @Test
    void aRefusingServerIsAnErrorAndIsNotHammered() throws IOException {
        try (var refusing = RefusingPort.bind();
                var session = start(LoadSpec.to(refusing.url()).loops(1))) {
            session.apply(TWO_USERS);

            LoadWindow w = Taken.until(session, x -> x.errors() >= 8);

            assertThat(w.errorKinds()).containsOnlyKeys("connect-refused");
            assertThat(w.seconds()).as("10+20+40 ms of backoff per user").isGreaterThan(0.06);
        }
    }

    @Test
    void refusingServerGivesOneErrorPerCountedRequest() throws IOException {
        try (var refusing = RefusingPort.bind();
                var session = start(LoadSpec.to(refusing.url()).mostRequests(25))) {
            session.apply(new Level.Closed(10, Duration.ZERO));

            LoadWindow w = Taken.until(session, x -> session.isFinished());

            assertThat(w.plus(session.take()).errorKinds())
                    .isEqualTo(Map.of("connect-refused", 25L));
        }
    }

    @Test
    void restartedServerGivesErrorsWithoutHang() throws IOException {
        var server = ScriptedServer.saying(ScriptedServer.OK);
        int port = server.url().getPort();
        try (var session = start(to(server).requestTimeout(Duration.ofMillis(500)))) {
            session.apply(TWO_USERS);
            Taken.until(session, x -> x.requests() > 50);
            server.close();
            server.drop();
            Taken.until(session, x -> x.errorKinds().containsKey("connect-refused"));

            try (var _ = ScriptedServer.on(port, ScriptedServer.OK)) {
                Taken.until(session, x -> x.requests() > 50);
            }
        }
    }

    @Test
    void aRequestWithoutReplyTimesOut() throws IOException {
        try (var server =
                        new ScriptedServer((_, _) -> {
                            // sleeps: no reply within the test
                            Thread.sleep(600_000);
                            return false;
                        });
                var session = start(to(server).requestTimeout(Duration.ofMillis(50)))) {
            session.apply(TWO_USERS);

            LoadWindow w = Taken.until(session, x -> x.errors() >= 4);

            assertThat(w.errorKinds()).containsOnlyKeys("timeout");
            assertThat(w.requests()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'HTTP/1.1 503 no\\r\\nContent-Length: 0\\r\\n\\r\\n', status-503, false",
        "'HTTP/1.1 404 no\\r\\nContent-Length: 2\\r\\n\\r\\nxx', status-404, false",
        "'HTTP/1.1 oops\\r\\n\\r\\n', malformed, false",
        "'HTTP/1.1 200 OK\\r\\nContent-Length: 1\\r\\n\\r\\nxx', malformed, false",
        "'HTTP/1.1 200 OK\\r\\nContent-Length: 9\\r\\n\\r\\nxx', closed, true",
        "'HTTP/1.1 200 O', closed, true",
        "'', closed, true",
    })
    void badRepliesAreCountedByKindAndNotAsGood(String reply, String kind, boolean closes)
            throws IOException {
        String bytes = reply.replace("\\r", "\r").replace("\\n", "\n");
        try (var server =
                        new ScriptedServer((_, out) -> {
                            out.write(bytes.getBytes(StandardCharsets.ISO_8859_1));
                            return !closes;
                        });
                var session = start(to(server))) {
            session.apply(TWO_USERS);

            LoadWindow w = Taken.until(session, x -> x.errors() >= 5);

            assertThat(w.errorKinds()).containsOnlyKeys(kind);
            assertThat(w.requests()).isZero();
            assertThat(w.latencyNanos().getTotalCount()).isZero();
        }
    }

    @Test
    void userReconnectsAfterReplyThatClosesConnection() throws IOException {
        try (var server =
                        new ScriptedServer((_, out) -> {
                            out.write(
                                    "HTTP/1.0 200 OK\r\n\r\nuntil the end"
                                            .getBytes(StandardCharsets.ISO_8859_1));
                            return false;
                        });
                var session = start(to(server))) {
            session.apply(TWO_USERS);

            LoadWindow w = Taken.until(session, x -> x.requests() >= 50);

            assertThat(w.errors()).isZero();
            assertThat(server.connections.get()).isGreaterThanOrEqualTo(50);
        }
    }

    @Test
    void requestAsksForConnectionPerRequest() throws IOException {
        try (var server =
                        new ScriptedServer((_, out) -> {
                            out.write(ScriptedServer.OK.getBytes(StandardCharsets.ISO_8859_1));
                            return true;
                        });
                var session = start(to(server).keepAlive(false).mostRequests(20))) {
            session.apply(TWO_USERS);

            LoadWindow before = Taken.until(session, _ -> session.isFinished());
            LoadWindow w = before.plus(session.take());

            assertThat(w.requests()).isEqualTo(20);
            assertThat(server.connections).hasValue(20);
        }
    }

    @Test
    void reportsUnknownHostAtOnce() {
        var spec = LoadSpec.to(URI.create("http://no-such-host.invalid/")).build();

        assertThatThrownBy(() -> LoadSession.start(spec, NanoClock.SYSTEM))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no-such-host.invalid");
    }
}
