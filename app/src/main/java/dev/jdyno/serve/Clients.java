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

/// What clients may hold of this process, which may be measuring meanwhile: threads, connections,
/// and time until they have shown the token. Of those that have not, the oldest is closed first, so
/// that silent ones keep no other client out.
final class Clients implements Connection.Listener {
    /// One accepts, one selects; a page is made in milliseconds.
    private static final int MOST_THREADS = 12;

    /// Of them, connections whose client has not yet shown that it may read.
    static final int MOST_UNKNOWN = 32;

    /// A browser has six for each host.
    static final int MOST_KNOWN = 64;

    /// A local client needs milliseconds for its first request.
    private static final int UNKNOWN_SECONDS = 10;

    /// Cookies of all services of the host may come along.
    private static final int MOST_HEADER_BYTES = 8 << 10;

    private final Set<Connection> unknown = new LinkedHashSet<>();
    private final Set<Connection> known = new LinkedHashSet<>();
    private Optional<Scheduler> scheduler = Optional.empty();

    /// Sets the server up for them.
    void into(JavalinConfig config, String host, int port) {
        var threads = new QueuedThreadPool(MOST_THREADS, 2);
        threads.setName("jdyno-serve");
        threads.setDaemon(true);
        config.jetty.threadPool = threads;
        config.jetty.modifyHttpConfiguration(h -> {
            h.setRequestHeaderSize(MOST_HEADER_BYTES);
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
            if (unknown.size() > MOST_UNKNOWN) {
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

    /// No request has a body.
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

    /// Ends the connection of a request, whatever is being written to it.
    static void cut(Context request) {
        connection(request).getEndPoint().close();
    }

    /// The client of this request may read.
    void know(Context request) {
        if (!know(connection(request))) {
            request.header("Connection", "close");
            throw new ServiceUnavailableResponse(
                    MOST_KNOWN + " connections are open: close some pages");
        }
    }

    /// @return false when there are too many, or it has been closed meanwhile: of one that is kept
    ///   afterwards nothing would be heard again
    synchronized boolean know(Connection its) {
        boolean waited = unknown.remove(its);
        return known.contains(its) || (waited && known.size() < MOST_KNOWN && known.add(its));
    }
}
