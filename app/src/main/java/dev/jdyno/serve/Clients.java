package dev.jdyno.serve;

import io.javalin.config.JavalinConfig;
import io.javalin.http.ContentTooLargeResponse;
import io.javalin.http.Context;
import io.javalin.http.ServiceUnavailableResponse;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.Scheduler;

/// Limits the threads and connections of clients, and the time until they present the token,
/// because this process may be measuring. If too many clients have not presented the token, the
/// oldest of their connections is closed. So silent clients cannot block others.
final class Clients implements Connection.Listener {
    /// Maximum number of threads, with one that accepts and one that selects. Few threads for
    /// requests suffice, because a page takes milliseconds.
    private static final int MAX_THREADS = 12;

    /// Maximum number of connections whose client has not yet presented the token.
    static final int MAX_UNKNOWN = 32;

    /// Maximum number of connections whose client may read. A browser opens six for each host.
    static final int MAX_KNOWN = 64;

    /// Maximum time until a client presents the token. A local client needs milliseconds for its
    /// first request.
    private static final int UNKNOWN_SECONDS = 10;

    /// Maximum size of the request headers. They may include the cookies of all services of the
    /// host.
    private static final int MAX_HEADER_BYTES = 8 << 10;

    private final Set<Connection> unknown = new LinkedHashSet<>();
    private final Set<Connection> known = new LinkedHashSet<>();
    private Optional<Scheduler> scheduler = Optional.empty();

    /// Applies the limits to a server.
    void into(JavalinConfig config, String host, int port) {
        var threads = new QueuedThreadPool(MAX_THREADS, 2);
        threads.setName("jdyno-serve");
        threads.setDaemon(true);
        config.jetty.threadPool = threads;
        config.jetty.modifyHttpConfiguration(h -> {
            h.setRequestHeaderSize(MAX_HEADER_BYTES);
            h.setSendServerVersion(false);
        });
        config.jetty.addConnector((server, http) -> {
            var connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
            connector.setHost(host);
            connector.setPort(port);
            connector.addBean(this);
            scheduler = Optional.of(connector.getScheduler());
            return connector;
        });
    }

    @Override
    public void onOpened(Connection opened) {
        Optional<Connection> oldest = Optional.empty();
        synchronized (this) {
            unknown.add(opened);
            if (unknown.size() > MAX_UNKNOWN) {
                oldest = Optional.of(unknown.iterator().next());
                unknown.remove(oldest.get());
            }
        }
        oldest.ifPresent(c -> c.getEndPoint().close());
        scheduler.ifPresent(
                s -> s.schedule(() -> closeUnknown(opened), UNKNOWN_SECONDS, TimeUnit.SECONDS));
    }

    private void closeUnknown(Connection late) {
        boolean still;
        synchronized (this) {
            still = unknown.remove(late);
        }
        if (still) {
            late.getEndPoint().close();
        }
    }

    @Override
    public synchronized void onClosed(Connection closed) {
        unknown.remove(closed);
        known.remove(closed);
    }

    /// Refuses a request with a body, because no request needs one.
    static void refuseBodies(Context request) {
        if (request.contentLength() > 0 || request.header("Transfer-Encoding") != null) {
            request.header("Connection", "close");
            throw new ContentTooLargeResponse("no request has a body here");
        }
    }

    private static Connection connection(Context request) {
        return ServletContextRequest.getServletContextRequest(request.req())
                .getConnectionMetaData()
                .getConnection();
    }

    /// Closes the connection of a request, even during a write.
    static void cut(Context request) {
        connection(request).getEndPoint().close();
    }

    /// Counts the client of this request as one that may read.
    void know(Context request) {
        if (!know(connection(request))) {
            request.header("Connection", "close");
            throw new ServiceUnavailableResponse(
                    MAX_KNOWN + " connections are open: close some pages");
        }
    }

    /// Marks the client of a connection as one that may read.
    ///
    /// @return false if too many clients are marked, or the connection is closed already. A closed
    ///   connection must not be added, because its end is never reported
    synchronized boolean know(Connection its) {
        boolean waited = unknown.remove(its);
        return known.contains(its) || (waited && known.size() < MAX_KNOWN && known.add(its));
    }
}
