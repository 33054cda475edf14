package dev.jdyno.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.load.loop.ReadLimit;
import dev.jdyno.load.pacing.Arrivals;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.pacing.Part;
import dev.jdyno.load.pacing.RateProfile;
import dev.jdyno.load.request.Body;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.request.SlowClients;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.load.statistics.WindowText;
import dev.jdyno.load.wire.Transport;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Many connections of which only some send requests (experiment E23), and slow connections
/// (experiment E26).
class CrowdTest {
    private static final int BODY_BYTES = 40_000;
    private static final String LONG_REPLY =
            "HTTP/1.1 200 OK\r\nContent-Length: "
                    + BODY_BYTES
                    + "\r\n\r\n"
                    + "x".repeat(BODY_BYTES);

    private static LoadWindow.NamedRequests named(LoadWindow w, String name) {
        return java.util.Objects.requireNonNull(w.named().get(name), name);
    }

    @Test
    void idleConnectionsSendNothingAndReconnectAfterClose() throws IOException {
        try (var server = ScriptedServer.saying(ScriptedServer.OK);
                var session =
                        LoadSession.start(
                                LoadSpec.to(server.url()).loops(2).activeShare(0.1).build(),
                                NanoClock.SYSTEM)) {
            session.apply(new Level.Open(40, 500, Arrivals.CONSTANT));
            Taken.until(
                    session,
                    x ->
                            x.requests() > 50
                                    && x.connections().open() == 40
                                    && server.connections.get() >= 40);

            assertThat(server.connections).hasValue(40);

            server.drop();
            LoadWindow after =
                    Taken.until(
                            session,
                            // the kernel completes a connection before the server has accepted it
                            x ->
                                    x.connections().lost() >= 36
                                            && x.connections().open() == 40
                                            && server.connections.get() >= 76);

            assertThat(after.errors()).isLessThanOrEqualTo(4); // only the four that sent a request
        }
    }

    @Test
    void slowClientsAreReportedSeparately() throws IOException {
        try (var server = ScriptedServer.saying(LONG_REPLY);
                var session =
                        LoadSession.start(
                                LoadSpec.to(server.url())
                                        .loops(1)
                                        .slow(new SlowClients(0.5, 10L * BODY_BYTES, 4096))
                                        .build(),
                                NanoClock.SYSTEM)) {
            session.apply(new Level.Closed(2, Duration.ZERO));
            LoadWindow w = Taken.until(session, x -> named(x, "slow clients").requests() >= 3);

            var slow = named(w, "slow clients").latencyNanos();
            var other = named(w, "other clients").latencyNanos();
            // at that rate a body takes 100 ms, minus the first portion of 20 ms
            assertThat(slow.getMinValue()).isGreaterThanOrEqualTo(70_000_000L);
            assertThat(other.getValueAtPercentile(50)).isLessThan(slow.getMinValue() / 3);
        }
    }

    @Test
    void readLimitAccumulatesOverTimeUpToOnePortion() {
        var limit = new ReadLimit(50_000, 0); // one portion has 1000 bytes
        assertThat(limit.allowance(0)).isEqualTo(1000);
        limit.took(1000);
        assertThat(limit.allowance(5_000_000)).isEqualTo(250);
        assertThat(limit.nextSip()).isEqualTo(20_000_000);
        assertThat(limit.allowance(900_000_000)).isEqualTo(1000);
    }

    @Test
    void addsWindowsOfProcessesFromText() throws IOException {
        try (var server = ScriptedServer.saying(ScriptedServer.OK);
                var session =
                        LoadSession.start(
                                LoadSpec.to(server.url()).loops(1).build(), NanoClock.SYSTEM)) {
            session.apply(new Level.Closed(2, Duration.ZERO));
            LoadWindow w = Taken.until(session, x -> x.requests() > 100);

            LoadWindow read = WindowText.parse(WindowText.of(w));
            LoadWindow both = LoadWindow.together(List.of(w, read));

            assertThat(read.latencyNanos().getValueAtPercentile(99))
                    .isEqualTo(w.latencyNanos().getValueAtPercentile(99));
            assertThat(read.statuses()).isEqualTo(w.statuses());
            assertThat(both.requests()).isEqualTo(2 * w.requests());
            assertThat(both.qps()).isCloseTo(2 * w.qps(), org.assertj.core.data.Offset.offset(1.0));
            assertThat(both.connections().open()).isEqualTo(4);
            assertThat(both.use().loops()).hasSize(2);
        }
    }

    @Test
    void loadPartsOfProcessesAddUpToTheWholeLoad() {
        LoadSpec spec =
                LoadSpec.to(URI.create("http://127.0.0.1:1/")).mostRequests(10).loops(1).build();
        var plan =
                new LoadPlan(
                        spec,
                        7,
                        Duration.ZERO,
                        java.util.Optional.of(RateProfile.parse("300..600")),
                        Arrivals.CONSTANT,
                        Duration.ofSeconds(1),
                        Duration.ZERO);

        LoadPlan first = plan.part(new Part(0, 3));
        LoadPlan last = plan.part(new Part(2, 3));

        assertThat(List.of(first.connections(), last.connections())).containsExactly(3, 2);
        assertThat(first.spec().mostRequests().orElseThrow()).isEqualTo(4);
        assertThat(last.spec().mostRequests().orElseThrow()).isEqualTo(3);
        assertThat(first.rate().orElseThrow()).isEqualTo(RateProfile.parse("100..200"));
    }

    @Test
    void loadPartKeepsAllOtherSettings() {
        LoadSpec spec =
                LoadSpec.to(URI.create("http://127.0.0.1:1/x"))
                        .method("PUT")
                        .header("a", "b")
                        .body(Body.of("c"))
                        .keepAlive(false)
                        .connectTimeout(Duration.ofSeconds(2))
                        .requestTimeout(Duration.ofSeconds(3))
                        .loops(4)
                        .spin(Duration.ofNanos(5))
                        .mostReplyBytes(6)
                        .mostBacklog(7)
                        .resolve("h", InetAddress.ofLiteral("127.0.0.8"))
                        .sources(List.of(InetAddress.ofLiteral("127.0.0.9")))
                        .slow(new SlowClients(0.5, 10, 11))
                        .activeShare(0.5)
                        .transport(Transport.NIO)
                        .unixSocket(java.nio.file.Path.of("s"))
                        .http2(12)
                        .followRedirects(13)
                        .build();

        assertThat(spec.part(Part.WHOLE)).isEqualTo(spec);
    }

    @Test
    void usesSeveralLoopbackAddressesForManyConnections() {
        LoadSpec spec = LoadSpec.to(URI.create("http://127.0.0.1:1/")).build();

        assertThat(LoadLimits.loopbackSources(100, spec)).isEmpty();
        assertThat(LoadLimits.loopbackSources(130_000, spec))
                .hasSizeGreaterThan(1)
                .contains(InetAddress.ofLiteral("127.0.0.2"));
    }

    @Test
    void explainsHowToShareFileLimitBetweenProcesses() {
        assertThat(LoadLimits.processes(10)).isEqualTo(1);
        assertThatThrownBy(() -> LoadLimits.check(Integer.MAX_VALUE - 100, 1, 1, true))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("cannot hold")
                .extracting(e -> ((UserError) e).fix())
                .asString()
                .contains("--processes");
    }
}
