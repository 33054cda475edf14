package dev.jdyno.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// A server whose replies a test sets byte for byte, with one thread per connection.
public final class ScriptedServer implements AutoCloseable {
    /// Answers one request on the stream.
    public interface Script {
        /// @param request the request line
        /// @return true if the connection stays open
        boolean answer(String request, OutputStream out) throws IOException, InterruptedException;
    }

    public static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    public final AtomicInteger connections = new AtomicInteger();
    public final AtomicInteger requests = new AtomicInteger();

    private final ServerSocket listener;
    private final Script script;

    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    public ScriptedServer(Script script) throws IOException {
        this(0, script);
    }

    private ScriptedServer(int port, Script script) throws IOException {
        this.listener = new ServerSocket(port, 512, InetAddress.ofLiteral("127.0.0.1"));
        this.script = script;
        Thread.ofPlatform().daemon().start(this::accept);
    }

    public static ScriptedServer saying(String reply) throws IOException {
        return on(0, reply);
    }

    /// Starts the server on a given port.
    public static ScriptedServer on(int port, String reply) throws IOException {
        return new ScriptedServer(
                port,
                (_, out) -> {
                    out.write(reply.getBytes(StandardCharsets.ISO_8859_1));
                    return true;
                });
    }

    /// Closes every connection there is now, and none that a client makes meanwhile.
    public void drop() throws IOException {
        for (Socket socket : List.copyOf(open)) {
            socket.close();
        }
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort() + "/");
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                // a reply in two writes must not wait for an acknowledgement
                socket.setTcpNoDelay(true);
                open.add(socket); // before it is counted: a test may drop what it has counted
                connections.incrementAndGet();
                Thread.ofPlatform().daemon().start(() -> serve(socket));
            } catch (IOException e) {
                if (!listener.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            var in =
                    new BufferedReader(
                            new InputStreamReader(
                                    socket.getInputStream(), StandardCharsets.ISO_8859_1));
            String line;
            while ((line = in.readLine()) != null) {
                String request = line;
                String field;
                do {
                    field = in.readLine();
                    if (field == null) {
                        return; // the client closed within its request
                    }
                } while (!field.isEmpty());
                requests.incrementAndGet();
                if (!script.answer(request, socket.getOutputStream())) {
                    return;
                }
            }
        } catch (IOException clientGone) {
            return; // the load ended
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
