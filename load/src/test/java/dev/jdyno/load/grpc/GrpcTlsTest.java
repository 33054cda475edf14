package dev.jdyno.load.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.load.LoadSession;
import dev.jdyno.load.ServerKeys;
import dev.jdyno.load.Taken;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.request.Body;
import dev.jdyno.load.request.GrpcCalls;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.request.LoadSpecBuilder;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.load.wire.TlsSettings;
import dev.jdyno.load.wire.Transport;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.load.FailureReason;
import dev.jdyno.measure.load.GrpcUrl;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Calls of `grpcs://` on a service of grpc-java, whose Netty does TLS.
@Tag("full") // makes keys, and loads Netty's TLS library
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GrpcTlsTest {
    private static final int CALLS = 200;

    private SslContext tls;
    private TlsSettings trusting;

    @BeforeAll
    void makeKeys(@TempDir Path folder)
            throws IOException, GeneralSecurityException, InterruptedException {
        ServerKeys keys = ServerKeys.in(folder);
        tls = GrpcSslContexts.configure(SslContextBuilder.forServer(keys.managers())).build();
        trusting = new TlsSettings(false, Optional.of(keys.ca()));
    }

    private ShopServer server() throws IOException {
        return new ShopServer(tls, ProtoReflectionServiceV1.newInstance());
    }

    private static LoadSpecBuilder to(ShopServer server, TlsSettings settings) {
        URI url = GrpcUrl.http("grpcs://shop.test:" + server.url().getPort() + Shop.PRICE);
        return LoadSpec.to(url)
                .loops(1)
                .tls(settings)
                // the first handshake of a JVM is slow
                .connectTimeout(Duration.ofMinutes(1))
                .resolve("shop.test", InetAddress.getLoopbackAddress());
    }

    private static LoadWindow load(LoadSpecBuilder to) {
        var calls = new GrpcCalls(Shop.schema(), Optional.empty(), false, false);
        LoadSpec spec = to.mostRequests(CALLS).grpc(calls, 8).build();
        try (var session = LoadSession.start(spec, NanoClock.SYSTEM)) {
            session.apply(new Level.Closed(2, Duration.ZERO));
            LoadWindow sum = Taken.until(session, w -> session.isFinished() || w.errors() >= 2);
            return sum.plus(session.take());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"AUTO", "NIO"})
    void serverAndClientCountEqualRequests(Transport transport) throws IOException {
        try (var server = server()) {
            LoadWindow w =
                    load(to(server, trusting).transport(transport).body(Body.of("{\"id\": 7}")));

            assertThat(w.failures()).isEmpty();
            assertThat(w.statuses()).containsExactly(Map.entry(0, (long) CALLS));
            assertThat(server.calls).hasValue(CALLS);
            assertThat(w.handshakeNanos().getTotalCount()).isEqualTo(2);
        }
    }

    @Test
    void failureHasNameOfGrpcStatus() throws IOException {
        try (var server = server()) {
            LoadWindow w = load(to(server, trusting).body(Body.of("{\"name\": \"fail:14\"}")));

            assertThat(w.requests()).isZero();
            assertThat(w.errorKinds()).containsOnlyKeys("grpc-unavailable");
            assertThat(w.failures().getFirst().example().orElseThrow()).contains("asked for 100 %");
        }
    }

    @Test
    void serverReflectionGivesTheMethods() throws IOException {
        try (var server = server()) {
            LoadSpec spec = to(server, trusting).build();

            Schema schema = Reflection.schema(spec, Reflection.servicesOf(spec), NanoClock.SYSTEM);

            assertThat(schema.methods()).contains("shop.Prices/price");
        }
    }

    @Test
    void anUnknownCertificateIsRefusedUnlessInsecure() throws IOException {
        try (var server = server()) {
            LoadWindow refused = load(to(server, TlsSettings.DEFAULT));

            assertThat(refused.errorKinds()).containsOnlyKeys("tls");
            assertThat(refused.failures().getFirst().reason())
                    .isEqualTo(FailureReason.CERTIFICATE_SELF_SIGNED);
            assertThat(server.calls).hasValue(0);

            LoadWindow taken = load(to(server, new TlsSettings(true, Optional.empty())));

            assertThat(taken.requests()).isEqualTo(CALLS);
            assertThat(server.calls).hasValue(CALLS);
        }
    }
}
