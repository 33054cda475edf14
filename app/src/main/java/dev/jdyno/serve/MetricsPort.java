package dev.jdyno.serve;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Answers `GET /metrics` on the loopback device, for one page of text. It is a few dozen lines in
/// place of a web server, whose classes alone would take a third of the memory that a watch may
/// use. Connections, their time and their bytes are limited: a client that sends slowly, or does
/// not read its answer, is cut off after {@link #LIMIT}. A user of this host who connects again and
/// again can keep it from others nevertheless.
public final class MetricsPort implements AutoCloseable {
    private static final int MAX_CLIENTS = 8;
    private static final int MAX_HEAD_BYTES = 8 << 10;

    /// Maximum time between two bytes of a request, in ms. A head of the maximum size that comes
    /// byte by byte is cut off by {@link #MAX_READS}.
    private static final int READ_MS = 1000;

    private static final int MAX_READS = 32;

    /// Maximum time of a connection, from its begin to the end of its answer.
    static final Duration LIMIT = Duration.ofSeconds(2);

    /// Time between two searches for connections above their time, in ms, while there are any.
    private static final int CHECK_MS = 100;

    /// Time after a connection that could not be accepted.
    private static final long PAUSE_MS = 200;

    private static final int BACKLOG = 16;
    private static final String END_OF_HEAD = "\r\n\r\n";
    private static final Pattern REQUEST =
            Pattern.compile("GET /metrics(?:\\?\\S*)? HTTP/1\\.[01]");

    private static final Pattern HOST =
            Pattern.compile("(?im)^host:[ \\t]*(\\S*?)(?::\\d{1,5})?[ \\t]*\\r?$");

    /// Names under which it answers: a foreign page whose host name resolves to 127.0.0.1 cannot
    /// read.
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");

    private final ServerSocket server;
    private final Supplier<String> page;
    private final NanoClock clock;
    private final Semaphore clients = new Semaphore(MAX_CLIENTS);

    /// The begin of each open connection.
    private final Map<Socket, Long> begins = new ConcurrentHashMap<>();

    private MetricsPort(ServerSocket server, Supplier<String> page, NanoClock clock) {
        this.server = server;
        this.page = page;
        this.clock = clock;
    }

    /// Begins to answer.
    ///
    /// @param port 0 for a free one
    /// @throws UserError if the port is in use
    public static MetricsPort open(int port, Supplier<String> page) {
        return open(port, page, NanoClock.SYSTEM);
    }

    static MetricsPort open(int port, Supplier<String> page, NanoClock clock) {
        try {
            var opened =
                    new MetricsPort(
                            new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress()),
                            page,
                            clock);
            Thread.ofPlatform().daemon().name("jdyno-metrics-port").start(opened::accept);
            return opened;
        } catch (IOException refused) {
            throw UserError.usage(
                            "cannot serve metrics at port " + port,
                            String.valueOf(refused.getMessage()),
                            "give another --metrics-port")
                    .causedBy(refused);
        }
    }

    public String url() {
        return "http://127.0.0.1:" + server.getLocalPort() + "/metrics";
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                // without a connection there is nothing to cut off
                server.setSoTimeout(begins.isEmpty() ? 0 : CHECK_MS);
                Socket client = server.accept();
                cutOff();
                if (clients.tryAcquire()) {
                    begins.put(client, clock.nanos());
                    Thread.ofPlatform()
                            .daemon()
                            .name("jdyno-metrics-client")
                            .start(() -> answerAndClose(client));
                } else {
                    client.close();
                }
            } catch (SocketTimeoutException noClient) {
                cutOff();
            } catch (IOException closedOrBroken) {
                // closed, a client that ended before it was accepted, or no free file descriptor
                pause();
            }
        }
    }

    /// Closes the connections above their time. What reads or writes there ends with an exception.
    private void cutOff() {
        begins.forEach((client, begin) -> {
            if (clock.secondsSince(begin) * 1000 >= LIMIT.toMillis()) {
                close(client);
            }
        });
    }

    private static void close(Socket client) {
        try {
            client.close();
        } catch (IOException alreadyGone) {
            // the client has closed it meanwhile
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private void answerAndClose(Socket client) {
        try (client) {
            client.setSoTimeout(READ_MS);
            String answer = answer(head(client.getInputStream()));
            OutputStream out = client.getOutputStream();
            out.write(answer.getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException clientIsGone) {
            // only this client misses its answer, and it asks again
        } finally {
            begins.remove(client);
            clients.release();
        }
    }

    /// The head of a request; empty if it is too long, too slow or incomplete.
    private static Optional<String> head(InputStream in) throws IOException {
        byte[] buffer = new byte[MAX_HEAD_BYTES];
        int length = 0;
        for (int i = 0; i < MAX_READS && length < buffer.length; i++) {
            int read = in.read(buffer, length, buffer.length - length);
            if (read < 0) {
                return Optional.empty();
            }
            length += read;
            String text = new String(buffer, 0, length, StandardCharsets.ISO_8859_1);
            if (text.contains(END_OF_HEAD)) {
                return Optional.of(text);
            }
        }
        return Optional.empty();
    }

    private String answer(Optional<String> head) {
        if (head.isEmpty()) {
            return response("400 Bad Request", "text/plain", "no request of HTTP\n");
        }
        String first = head.get().lines().findFirst().orElse("");
        if (!REQUEST.matcher(first).matches()) {
            return response("404 Not Found", "text/plain", "GET /metrics\n");
        }
        Matcher host = HOST.matcher(head.get());
        if (host.find() && !LOOPBACK.contains(host.group(1).toLowerCase(Locale.ROOT))) {
            return response(
                    "403 Forbidden",
                    "text/plain",
                    "it answers under the names 127.0.0.1, localhost and [::1] only\n");
        }
        return response("200 OK", Server.METRICS, page.get());
    }

    private static String response(String status, String type, String body) {
        return "HTTP/1.1 "
                + status
                + "\r\nContent-Type: "
                + type
                + "\r\nContent-Length: "
                + body.getBytes(StandardCharsets.UTF_8).length
                + "\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store"
                + "\r\nConnection: close\r\n\r\n"
                + body;
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException alreadyGone) {
            // the process ends, and its port with it
        }
    }
}
