package dev.jdyno.driver;

import dev.jdyno.load.statistics.ReportedWindow;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.RequestError;
import dev.jdyno.measure.text.UserError;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.HdrHistogram.Histogram;

/// A proxy on loopback between a driver and the service, which counts requests. It looks at who
/// sends: what the driver sends after an answer begins the next request, and the last bytes before
/// that end the answer. So it counts any protocol with one request at a time on each connection,
/// encrypted or not; pipelining and HTTP/2 are counted too low. Two virtual threads for each
/// connection.
final class CountingProxy implements AutoCloseable {
    private static final int BUFFER = 16 << 10;
    private static final int BACKLOG = 4096;

    /// `HTTP/1.1 200`
    private static final int STATUS_FROM = 9;

    private static final int CONTINUE = 100;

    private final NanoClock clock;
    private final ServerSocket listener;
    private final InetSocketAddress service;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private Histogram nanos = new Histogram(3);
    private Map<String, Long> errors = new TreeMap<>();
    private long good;
    private long bytes;

    private CountingProxy(NanoClock clock, ServerSocket listener, InetSocketAddress service) {
        this.clock = clock;
        this.listener = listener;
        this.service = service;
    }

    /// @param port on loopback, to which the driver sends; 0 for any
    /// @throws UserError when it cannot listen there
    static CountingProxy start(int port, InetSocketAddress service, NanoClock clock) {
        try {
            var proxy =
                    new CountingProxy(
                            clock,
                            new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress()),
                            service);
            Thread.ofVirtual().name("jdyno-through").start(proxy::accept);
            return proxy;
        } catch (IOException taken) {
            throw UserError.usage(
                            "cannot listen on port " + port + " for --through",
                            String.valueOf(taken.getMessage()),
                            "give another port, and the same one in the driver's command")
                    .causedBy(taken);
        }
    }

    int port() {
        return listener.getLocalPort();
    }

    /// What it counted since the last take.
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

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket driver = listener.accept();
                Thread.ofVirtual().name("jdyno-through").start(() -> join(driver));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void join(Socket driver) {
        var server = new Socket();
        open.add(driver);
        open.add(server);
        var exchange = new Exchange();
        try {
            driver.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            server.connect(
                    service.isUnresolved()
                            ? new InetSocketAddress(service.getHostString(), service.getPort())
                            : service);
            Thread back = Thread.ofVirtual().start(() -> pump(server, driver, exchange, true));
            pump(driver, server, exchange, false);
            back.join();
        } catch (IOException refused) {
            closed(); // the driver sees a closed connection
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        } finally {
            drop(driver);
            drop(server);
        }
    }

    private void pump(Socket from, Socket to, Exchange exchange, boolean answers) {
        byte[] buffer = new byte[BUFFER];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                if (answers) {
                    exchange.answer(clock.nanos(), buffer, n);
                    read(n);
                } else {
                    exchange.request(clock.nanos());
                }
                out.write(buffer, 0, n);
            }
            exchange.end(answers);
            to.shutdownOutput();
        } catch (IOException ended) {
            exchange.end(answers);
            drop(from);
            drop(to);
        }
    }

    private void drop(Socket socket) {
        open.remove(socket);
        quietly(socket);
    }

    private static void quietly(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException alreadyBroken) {
            // nothing is left of it that could be closed
        }
    }

    @Override
    public void close() {
        quietly(listener);
        open.forEach(CountingProxy::quietly);
    }

    /// The request of one connection that is under way.
    private final class Exchange {
        private boolean sent;
        private boolean answered;
        private long sentNanos;
        private long lastNanos;
        private int status;

        synchronized void request(long now) {
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

        synchronized void answer(long now, byte[] from, int count) {
            if (sent && !answered) {
                answered = true;
                status = statusOf(from, count);
            }
            lastNanos = now;
        }

        /// @param byServer whether the service closed, which is its failure where no answer came
        synchronized void end(boolean byServer) {
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

        /// 0 where it is no HTTP/1.
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
