package dev.jdyno.lab.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http11.Http11NioProtocol;

/// An embedded Tomcat that serves pages with one thread per request.
public final class Container implements Running {
    /// Keeps a reference to the logger, because a logger without a reference loses its level.
    private static final Logger TOMCAT_LOG = Logger.getLogger("org.apache");

    private final Tomcat tomcat;
    private final Path base;
    private final AtomicBoolean ended = new AtomicBoolean();

    private Container(Tomcat tomcat, Path base) {
        this.tomcat = tomcat;
        this.base = base;
    }

    /// Starts a container and returns once it listens.
    ///
    /// @throws CannotStart if the address is in use
    public static Container start(ContainerOptions options, Map<String, Page> pages) {
        return startServlets(options, pages, PageServlet::of);
    }

    /// Starts a container with pages that write their own responses.
    public static Container startRaw(ContainerOptions options, Map<String, RawPage> pages) {
        return startServlets(options, pages, PageServlet::new);
    }

    private static <P> Container startServlets(
            ContainerOptions options, Map<String, P> pages, Function<P, PageServlet> servlet) {
        TOMCAT_LOG.setLevel(Level.SEVERE);
        Tomcat tomcat = new Tomcat();
        Path folder = newBase();
        String base = folder.toString();
        tomcat.setBaseDir(base);
        tomcat.setConnector(connector(options));
        Context root = tomcat.addContext("", base);
        pages.forEach((path, page) ->
                Tomcat.addServlet(root, path, servlet.apply(page)).addMapping(path));
        Container container = new Container(tomcat, folder);
        // closes the container even if a signal ends the process
        Runtime.getRuntime().addShutdownHook(new Thread(container::close, "end-container"));
        try {
            tomcat.start();
        } catch (LifecycleException e) {
            container.close();
            ListenOptions listen = options.listen();
            throw CannotStart.listening(listen.bind(), listen.port(), rootMessage(e));
        }
        return container;
    }

    @Override
    public int port() {
        return tomcat.getConnector().getLocalPort();
    }

    @Override
    public void await() {
        tomcat.getServer().await();
    }

    @Override
    public void close() {
        if (ended.getAndSet(true)) {
            return;
        }
        try {
            tomcat.stop();
            tomcat.destroy();
        } catch (LifecycleException e) {
            throw new IllegalStateException("the container did not stop", e);
        } finally {
            // removed only now, because a running Tomcat creates its folders again
            remove(base);
        }
    }

    private static Connector connector(ContainerOptions options) {
        Http11NioProtocol http = new Http11NioProtocol();
        http.setMaxThreads(options.maxThreads);
        http.setMinSpareThreads(Math.min(10, options.maxThreads));
        http.setAcceptCount(options.acceptCount);
        http.setMaxConnections(options.maxConnections);
        // a load client keeps its connections; Tomcat's default of 100 requests would reopen them
        // all the time
        http.setMaxKeepAliveRequests(-1);
        Connector connector = new Connector(http);
        connector.setPort(options.listen.port);
        connector.setProperty("address", options.listen.bind);
        if (options.virtualThreads) {
            connector.setProperty("useVirtualThreads", "true");
        }
        if (options.sendBufferBytes > 0) {
            connector.setProperty("socket.txBufSize", "" + options.sendBufferBytes);
        }
        connector.setThrowOnFailure(true);
        return connector;
    }

    private static String rootMessage(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }

    /// Creates a new folder for Tomcat's files. In a folder with a guessable name, other users
    /// could have placed links and files before.
    private static Path newBase() {
        try {
            return Files.createTempDirectory("jdyno-lab-tomcat-");
        } catch (IOException e) {
            throw new CannotStart(
                    "no folder for Tomcat",
                    String.valueOf(e.getMessage()),
                    "start it with -Djava.io.tmpdir=FOLDER, a folder that can be written");
        }
    }

    private static void remove(Path base) {
        try (Stream<Path> files = Files.walk(base)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            System.err.println("left behind: " + e);
        }
    }
}
