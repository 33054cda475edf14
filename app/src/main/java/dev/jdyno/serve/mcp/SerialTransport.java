package dev.jdyno.serve.mcp;

import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpServerSession;
import io.modelcontextprotocol.spec.McpServerTransport;
import io.modelcontextprotocol.spec.McpServerTransportProvider;
import java.util.List;
import reactor.core.publisher.Mono;

/// A transport that sends one message at a time. Several calls send progress and answers from their
/// own threads. The library queues a message only if no other thread queues one, and gives the
/// message up after 100 ms of trying. On a busy machine the thread in between may be suspended for
/// longer. The answer would then be lost, and the client would wait for it forever.
///
/// @param library the transport of the library
record SerialTransport(McpServerTransportProvider library) implements McpServerTransportProvider {
    @Override
    public void setSessionFactory(McpServerSession.Factory sessions) {
        library.setSessionFactory(transport -> sessions.create(new Sending(transport)));
    }

    @Override
    public Mono<Void> notifyClients(String method, Object params) {
        return library.notifyClients(method, params);
    }

    @Override
    public Mono<Void> notifyClient(String session, String method, Object params) {
        return library.notifyClient(session, method, params);
    }

    @Override
    public Mono<Void> closeGracefully() {
        return library.closeGracefully();
    }

    @Override
    public void close() {
        library.close();
    }

    @Override
    public List<String> protocolVersions() {
        return library.protocolVersions();
    }

    private static final class Sending implements McpServerTransport {
        private final McpServerTransport library;
        private final Object turn = new Object();

        Sending(McpServerTransport library) {
            this.library = library;
        }

        @Override
        public Mono<Void> sendMessage(JSONRPCMessage message) {
            return Mono.defer(() -> {
                // the subscription queues the message, and does not wait until it is written
                synchronized (turn) {
                    return Mono.fromFuture(library.sendMessage(message).toFuture());
                }
            });
        }

        @Override
        public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
            return library.unmarshalFrom(data, type);
        }

        @Override
        public Mono<Void> closeGracefully() {
            return library.closeGracefully();
        }

        @Override
        public void close() {
            library.close();
        }

        @Override
        public List<String> protocolVersions() {
            return library.protocolVersions();
        }
    }
}
