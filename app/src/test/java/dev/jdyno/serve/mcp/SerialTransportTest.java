package dev.jdyno.serve.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpServerSession;
import io.modelcontextprotocol.spec.McpServerTransport;
import io.modelcontextprotocol.spec.McpServerTransportProvider;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class SerialTransportTest {
    private static final int MESSAGES = 64;

    /// A library that refuses a message while another thread queues one.
    private static final class OneThread implements McpServerTransportProvider, McpServerTransport {
        private final AtomicBoolean busy = new AtomicBoolean();
        private final AtomicInteger sent = new AtomicInteger();
        private final AtomicReference<McpServerSession.Factory> sessions = new AtomicReference<>();

        @Override
        public void setSessionFactory(McpServerSession.Factory factory) {
            sessions.set(factory);
        }

        @Override
        public Mono<Void> sendMessage(McpSchema.JSONRPCMessage message) {
            return Mono.defer(() -> {
                if (!busy.compareAndSet(false, true)) {
                    return Mono.error(new IllegalStateException("another thread sends"));
                }
                // sleeps: other threads send meanwhile
                LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
                sent.incrementAndGet();
                busy.set(false);
                return Mono.empty();
            });
        }

        @Override
        public Mono<Void> notifyClients(String method, Object params) {
            return Mono.empty();
        }

        @Override
        public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Mono<Void> closeGracefully() {
            return Mono.empty();
        }

        @Override
        public void close() {}

        @Override
        public List<String> protocolVersions() {
            return List.of("1");
        }
    }

    @Test
    void sendsMessagesOfManyThreads() throws Exception {
        var library = new OneThread();
        var transport = new AtomicReference<McpServerTransport>();
        new SerialTransport(library)
                .setSessionFactory(given -> {
                    transport.set(given);
                    return new McpServerSession(
                            "1",
                            Duration.ofSeconds(1),
                            given,
                            request -> Mono.empty(),
                            Map.of(),
                            Map.of());
                });
        library.sessions.get().create(library);

        try (var threads = Executors.newFixedThreadPool(8)) {
            List<Future<?>> all =
                    IntStream.range(0, MESSAGES)
                            .<Future<?>>mapToObj(i ->
                                    threads.submit(() ->
                                            transport
                                                    .get()
                                                    .sendMessage(
                                                            new McpSchema.JSONRPCNotification(
                                                                    "2.0", "n", Map.of()))
                                                    .toFuture()
                                                    .join()))
                            .toList();
            for (Future<?> one : all) {
                one.get();
            }
        }

        assertThat(library.sent).hasValue(MESSAGES);
    }
}
