package dev.jdyno.serve;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;

/// Sends each event to an address of the user: a POST with one JSON document. A thread of its own
/// sends them, so that a slow receiver delays no minute. Failures are reported once. A receiver of
/// states also gets the present one again each minute.
///
/// The address may contain a secret, so it is never printed. Redirects are not followed.
public final class Webhook implements AutoCloseable {
    /// Maximum number of events that wait. There are a few an hour.
    static final int MAX_WAITING = 100;

    private static final int CONNECT_MS = 3_000;
    private static final int READ_MS = 10_000;

    /// Time at the end for the events that wait.
    private static final Duration LAST = Duration.ofSeconds(5);

    /// Times that an event is tried, and the time between them.
    private static final int TRIES = 3;

    private static final Duration RETRY = Duration.ofSeconds(2);

    /// Time between two documents of a state. Alertmanager wants 30 s to 3 minutes.
    private static final Duration AGAIN = Duration.ofMinutes(1);

    private static final int OK_FROM = 200;
    private static final int OK_TO = 299;

    /// @param retry time between two tries of a document
    /// @param again time without a document after which the state is sent again
    record Times(Duration retry, Duration again) {}

    private final URI to;
    private final Times times;
    private final Supplier<Optional<String>> state;
    private final Consumer<String> note;

    /// Empty: the end.
    private final BlockingQueue<Optional<String>> waiting =
            new ArrayBlockingQueue<>(MAX_WAITING + 1);

    private final Thread sender;
    private boolean failing;

    /// @param note receives failures, in one sentence
    public Webhook(URI to, Consumer<String> note) {
        this(to, Optional::empty, note);
    }

    /// @param state the document that is sent again each minute; empty for none
    public Webhook(URI to, Supplier<Optional<String>> state, Consumer<String> note) {
        this(to, new Times(RETRY, AGAIN), state, note);
    }

    Webhook(URI to, Times times, Supplier<Optional<String>> state, Consumer<String> note) {
        this.to = to;
        this.times = times;
        this.state = state;
        this.note = note;
        sender = Thread.ofPlatform().daemon().name("jdyno-webhook").start(this::send);
    }

    /// Sends an event later. If too many wait, this one is dropped and reported.
    public void offer(String json) {
        if (waiting.size() >= MAX_WAITING || !waiting.offer(Optional.of(json))) {
            note.accept("an event was not sent to the webhook: " + MAX_WAITING + " others wait");
        }
    }

    private void send() {
        try {
            Optional<String> next = next();
            while (next.isPresent()) {
                deliver(next.get());
                next = next();
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /// The next document; empty at the end.
    private Optional<String> next() throws InterruptedException {
        while (true) {
            var offered =
                    Optional.ofNullable(
                            waiting.poll(times.again().toNanos(), TimeUnit.NANOSECONDS));
            if (offered.isPresent()) {
                return offered.get();
            }
            Optional<String> again = state.get();
            if (again.isPresent()) {
                return again;
            }
        }
    }

    private void deliver(String json) throws InterruptedException {
        String why = "";
        for (int i = 0; i < TRIES; i++) {
            try {
                int status = post(json);
                if (status >= OK_FROM && status <= OK_TO) {
                    failing = false;
                    return;
                }
                why = "it answers " + status;
            } catch (IOException refused) {
                why = reason(refused);
            }
            TimeUnit.NANOSECONDS.sleep(times.retry().toNanos());
        }
        if (!failing) {
            note.accept("the webhook takes no events: " + why + "; the watch goes on");
        }
        failing = true;
    }

    /// Why the connection failed, in words. The message of the exception is not used, because it
    /// can contain a part of the address.
    private static String reason(IOException refused) {
        return switch (refused) {
            case UnknownHostException _ -> "its host name is unknown";
            case ConnectException _ -> "no connection is accepted there";
            case SocketTimeoutException _ -> "it does not answer in time";
            case SSLHandshakeException _ -> "its TLS certificate or version is not accepted";
            case SSLException _ -> "it does not answer with TLS";
            default -> "the connection fails (" + refused.getClass().getSimpleName() + ")";
        };
    }

    private int post(String json) throws IOException {
        var connection = (HttpURLConnection) to.toURL().openConnection();
        try {
            connection.setConnectTimeout(CONNECT_MS);
            connection.setReadTimeout(READ_MS);
            connection.setInstanceFollowRedirects(false);
            connection.setRequestMethod("POST");
            connection.setDoOutput(true);
            connection.setRequestProperty("Content-Type", "application/json");
            connection.setRequestProperty("User-Agent", "jdyno");
            connection.setRequestProperty("Connection", "close");
            byte[] body = json.getBytes(StandardCharsets.UTF_8);
            connection.setFixedLengthStreamingMode(body.length);
            try (OutputStream out = connection.getOutputStream()) {
                out.write(body);
            }
            int status = connection.getResponseCode();
            // the content of the answer has no meaning here
            try (InputStream _ =
                    status > OK_TO ? InputStream.nullInputStream() : connection.getInputStream()) {
                return status;
            }
        } finally {
            connection.disconnect();
        }
    }

    /// Ends after the events that wait, but waits only for a limited time.
    @Override
    public void close() {
        try {
            if (waiting.offer(Optional.empty())) {
                boolean _ = sender.join(LAST);
            }
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        } finally {
            sender.interrupt();
        }
    }
}
