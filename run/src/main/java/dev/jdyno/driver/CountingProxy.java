package dev.jdyno.driver;

import dev.jdyno.load.statistics.ReportedWindow;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.RequestError;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/// A proxy on loopback between a driver and the service, which counts requests by the direction of
/// the data. Data from the driver after an answer begin the next request, and the last bytes before
/// them end the answer. So it counts any protocol with one request at a time on each connection,
/// encrypted or not. Its counts are too low for pipelining and HTTP/2. It uses two virtual threads
/// for each connection.
final class CountingProxy implements AutoCloseable {
    private static final int BACKLOG = 4096;

    /// Position of the status in `HTTP/1.1 200`.
    private static final int STATUS_FROM = 9;

    private static final int CONTINUE = 100;

    private final NanoClock clock;
    private final Forwarder forwarder;
    private Histogram nanos = new Histogram(3);
    private Map<String, Long> errors = new TreeMap<>();
    private long good;
    private long bytes;

    private CountingProxy(int port, InetSocketAddress service, NanoClock clock) throws IOException {
        this.clock = clock;
        forwarder =
                Forwarder.start(
                        "jdyno-through", port, BACKLOG, service, Exchange::new, this::closed);
    }

    /// @param port on loopback, to which the driver sends; 0 for any
    /// @param service to which the proxy connects
    /// @throws UserError if it cannot listen there
    static CountingProxy start(int port, InetSocketAddress service, NanoClock clock) {
        try {
            return new CountingProxy(port, service, clock);
        } catch (IOException taken) {
            throw UserError.usage(
                            "cannot listen on port " + port + " for --through",
                            String.valueOf(taken.getMessage()),
                            "give another port, and the same one in the driver's command")
                    .causedBy(taken);
        }
    }

    int port() {
        return forwarder.address().getPort();
    }

    /// The counts since the last take.
    synchronized ReportedWindow.Counts take() {
        var taken =
                new ReportedWindow.Counts(
                        good, errors, bytes, Optional.of(nanos), Optional.empty());
        nanos = new Histogram(3);
        errors = new TreeMap<>();
        good = 0;
        bytes = 0;
        return taken;
    }

    /// Whether an answer was counted since the last take.
    synchronized boolean counts() {
        return good > 0 || !errors.isEmpty();
    }

    private synchronized void answered(long tookNanos, int status) {
        if (status == 0 || status < 400) {
            good++;
            nanos.recordValue(Math.max(0, tookNanos));
        } else {
            errors.merge(new RequestError.Status(status).key(), 1L, Long::sum);
        }
    }

    private synchronized void closed() {
        errors.merge(ErrorKind.CLOSED.key(), 1L, Long::sum);
    }

    private synchronized void read(int count) {
        bytes += count;
    }

    @Override
    public void close() {
        forwarder.close();
    }

    /// The request in progress on one connection.
    private final class Exchange implements Forwarder.Watcher {
        private boolean sent;
        private boolean answered;
        private long sentNanos;
        private long lastNanos;
        private int status;

        @Override
        public synchronized void sent(byte[] bytes, int count) {
            long now = clock.nanos();
            if (sent && answered && status == CONTINUE) {
                answered = false; // the body follows
            } else if (sent && answered) {
                finish();
            }
            if (!sent) {
                sent = true;
                sentNanos = now;
            }
        }

        @Override
        public synchronized void answered(byte[] bytes, int count) {
            if (sent && !answered) {
                answered = true;
                status = statusOf(bytes, count);
            }
            lastNanos = clock.nanos();
            read(count);
        }

        /// @param byServer whether the service closed, which is its failure if no answer came
        @Override
        public synchronized void ended(boolean byServer) {
            if (sent && answered) {
                finish();
            } else if (sent && byServer) {
                sent = false;
                closed();
            }
        }

        private void finish() {
            CountingProxy.this.answered(lastNanos - sentNanos, status);
            sent = false;
            answered = false;
        }

        /// 0 if it is not HTTP/1.
        private static int statusOf(byte[] from, int count) {
            if (count < STATUS_FROM + 3
                    || !new String(from, 0, 5, StandardCharsets.ISO_8859_1).equals("HTTP/")) {
                return 0;
            }
            int value = 0;
            for (int i = STATUS_FROM; i < STATUS_FROM + 3; i++) {
                int digit = from[i] - '0';
                if (digit < 0 || digit > 9) {
                    return 0;
                }
                value = 10 * value + digit;
            }
            return value;
        }
    }
}
