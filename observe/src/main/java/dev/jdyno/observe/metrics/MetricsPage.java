package dev.jdyno.observe.metrics;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Reads one page of metrics: a GET without cookies, credentials, proxy and redirects, on its own
/// connection. Time and size are limited for any answer of the peer.
final class MetricsPage {
    private static final Duration CONNECT_LIMIT = Duration.ofMillis(500);

    /// Maximum size of a page in bytes. A service with 10,000 series sends about 2 MB.
    static final int MAX_BYTES = 16 << 20;

    private static final String TEXT = "text/plain";
    private static final String OPEN_METRICS = "application/openmetrics-text";

    private MetricsPage() {}

    /// @param status HTTP status
    /// @param type content type, without parameters
    /// @param body empty unless the status is 200 and the type is a type of metrics
    @SuppressWarnings("ArrayRecordComponent") // read once, never compared
    record Answer(int status, String type, byte[] body) {
        /// True if the answer is a text that may contain metrics.
        boolean maybe() {
            return status == HttpURLConnection.HTTP_OK && isText(type);
        }

        /// True if the service asks for credentials.
        boolean refuses() {
            return status == HttpURLConnection.HTTP_UNAUTHORIZED
                    || status == HttpURLConnection.HTTP_FORBIDDEN;
        }
    }

    /// @param limit time limit of the whole request
    /// @throws IOException if nothing answers, the answer is not HTTP or too large, or the time
    ///   limit is exceeded
    static Answer get(URI uri, Duration limit) throws IOException, InterruptedException {
        HttpURLConnection connection =
                (HttpURLConnection) uri.toURL().openConnection(Proxy.NO_PROXY);
        connection.setConnectTimeout((int) CONNECT_LIMIT.toMillis());
        connection.setReadTimeout((int) limit.toMillis());
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        connection.setRequestProperty(
                "Accept", TEXT + ";version=0.0.4," + OPEN_METRICS + ";version=1.0.0;q=0.5");
        connection.setRequestProperty("User-Agent", "jdyno");
        connection.setRequestProperty("Connection", "close");
        var reading = new FutureTask<>(() -> readAndClose(connection));
        // a read timeout limits each read only: a peer that sends single bytes would take forever
        Thread.ofPlatform().daemon().name("jdyno-metrics").start(reading);
        try {
            return reading.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException slow) {
            end(connection);
            throw new IOException(
                    String.format(
                            Locale.ROOT,
                            "no whole answer within %.1f s",
                            limit.toMillis() / 1000.0),
                    slow);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException io
                    ? io
                    : new IOException("the answer cannot be read", failed.getCause());
        } catch (InterruptedException ended) {
            end(connection);
            throw ended;
        }
    }

    /// Closes a connection that another thread still reads. A separate thread closes it, because
    /// closing may wait for that read.
    private static void end(HttpURLConnection connection) {
        Thread.ofPlatform().daemon().name("jdyno-metrics-end").start(connection::disconnect);
    }

    private static Answer readAndClose(HttpURLConnection connection) throws IOException {
        try {
            return read(connection);
        } finally {
            connection.disconnect();
        }
    }

    private static Answer read(HttpURLConnection connection) throws IOException {
        int status = connection.getResponseCode();
        if (status < 0) {
            throw new IOException("the answer is not HTTP");
        }
        String type =
                Optional.ofNullable(connection.getContentType())
                        .map(t -> t.split(";", 2)[0].strip().toLowerCase(Locale.ROOT))
                        .orElse("");
        if (status != HttpURLConnection.HTTP_OK || !isText(type)) {
            return new Answer(status, type, new byte[0]);
        }
        try (InputStream in = connection.getInputStream()) {
            byte[] body = in.readNBytes(MAX_BYTES + 1);
            if (body.length > MAX_BYTES) {
                throw new IOException("the answer has more than " + (MAX_BYTES >> 20) + " MiB");
            }
            return new Answer(status, type, body);
        }
    }

    private static boolean isText(String type) {
        return type.equals(TEXT) || type.equals(OPEN_METRICS);
    }
}
