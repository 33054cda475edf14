package dev.jdyno.target;

import io.undertow.Undertow;
import io.undertow.server.handlers.BlockingHandler;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardThreadExecutor;
import org.apache.catalina.startup.Tomcat;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.jmx.MBeanContainer;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/// A real Jetty, Undertow or Tomcat with a shared executor in its own JVM, for tests. It serves as
/// many requests at once as it has threads. Each request holds its thread until a downstream
/// replies.
public final class ContainerVictim {
    private ContainerVictim() {}

    /// Runs in the child JVM, which has the containers on its class path, but no class of jdyno.
    static final class Service {
        private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

        private Service() {}

        /// @param args the container, its number of threads for requests, the time of a page in ms,
        ///   and the port of the downstream (0: the page sleeps)
        public static void main(String[] args) throws Exception {
            int threads = Integer.parseInt(args[1]);
            long millis = Long.parseLong(args[2]);
            int downstream = Integer.parseInt(args[3]);
            int port =
                    switch (args[0]) {
                        case "jetty" -> jetty(threads, millis, downstream);
                        case "undertow" -> undertow(threads, millis, downstream);
                        case "tomcat" -> tomcat(threads, millis, downstream);
                        default -> throw new IllegalArgumentException(args[0]);
                    };
            System.out.println("ready " + port);
            System.out.flush();
            Thread.currentThread().join();
        }

        private static int jetty(int threads, long millis, int downstream) throws Exception {
            // one thread accepts, and one selects
            var pool = new QueuedThreadPool(threads + 2, 1);
            pool.setReservedThreads(0);
            var server = new Server(pool);
            server.addBean(new MBeanContainer(ManagementFactory.getPlatformMBeanServer()));
            var connector = new ServerConnector(server, 1, 1);
            connector.setHost(LOOPBACK.getHostAddress());
            server.addConnector(connector);
            server.setHandler(
                    new Handler.Abstract() {
                        @Override
                        public boolean handle(Request request, Response response, Callback done)
                                throws Exception {
                            answer(millis, downstream);
                            Content.Sink.write(response, true, "page", done);
                            return true;
                        }
                    });
            server.start();
            return connector.getLocalPort();
        }

        private static int undertow(int threads, long millis, int downstream) {
            Undertow undertow =
                    Undertow.builder()
                            .addHttpListener(0, LOOPBACK.getHostAddress())
                            .setIoThreads(1)
                            .setWorkerThreads(threads)
                            .setHandler(
                                    new BlockingHandler(exchange -> {
                                        answer(millis, downstream);
                                        exchange.getResponseSender().send("page");
                                    }))
                            .build();
            undertow.start();
            return ((InetSocketAddress) undertow.getListenerInfo().getFirst().getAddress())
                    .getPort();
        }

        private static int tomcat(int threads, long millis, int downstream) throws Exception {
            Path base = Files.createTempDirectory("tomcat");
            base.toFile().deleteOnExit();
            Tomcat tomcat = new Tomcat();
            tomcat.setBaseDir(base.toString());
            var shared = new StandardThreadExecutor();
            shared.setName("shared");
            shared.setMaxThreads(threads);
            shared.setMinSpareThreads(1);
            tomcat.getService().addExecutor(shared);
            Connector connector = new Connector();
            connector.setPort(0);
            connector.setProperty("address", LOOPBACK.getHostAddress());
            connector.getProtocolHandler().setExecutor(shared);
            tomcat.setConnector(connector);
            var root = tomcat.addContext("", base.toString());
            Tomcat.addServlet(root, "page", new Page(millis, downstream)).addMapping("/");
            tomcat.start();
            return connector.getLocalPort();
        }

        private static void answer(long millis, int downstream)
                throws IOException, InterruptedException {
            if (downstream == 0) {
                // sleeps: response time of the page
                TimeUnit.MILLISECONDS.sleep(millis);
                return;
            }
            try (Socket asked = new Socket(LOOPBACK, downstream)) {
                asked.getOutputStream().write('?');
                asked.getInputStream().read();
            }
        }

        private static final class Page extends HttpServlet {
            private static final long serialVersionUID = 1L;

            private final long millis;
            private final int downstream;

            Page(long millis, int downstream) {
                this.millis = millis;
                this.downstream = downstream;
            }

            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response)
                    throws IOException {
                try {
                    answer(millis, downstream);
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                }
                response.getWriter().print("page");
            }
        }
    }

    /// Starts a container and waits until it listens.
    ///
    /// @param container `jetty`, `undertow` or `tomcat`
    /// @param threads number for requests
    /// @param millis response time of a page
    public static Target launch(
            Path dir, String container, int threads, long millis, String... flags)
            throws IOException, InterruptedException, URISyntaxException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:TieredStopAtLevel=1");
        command.addAll(Arrays.asList(flags));
        command.addAll(
                List.of(
                        "-cp",
                        // Surefire's own jar refers to all entries of the other property
                        System.getProperty(
                                "surefire.test.class.path", System.getProperty("java.class.path")),
                        Service.class.getName(),
                        container,
                        Integer.toString(threads),
                        Long.toString(millis),
                        "0"));
        return Victims.await(Target.launch(command, Victims.output(dir), Victims.limit()), dir);
    }

    /// Sends one request on each of these connections without waiting for an answer.
    public static List<Socket> ask(Path dir, int connections) throws IOException {
        List<Socket> open = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            var socket = new Socket(InetAddress.getLoopbackAddress(), Victims.port(dir));
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            open.add(socket);
        }
        return open;
    }
}
