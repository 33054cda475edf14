package dev.jdyno.target;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.modeler.Registry;

/// A real Tomcat in its own JVM, for tests. Its only page takes 20 ms. With `no-beans` it registers
/// no MBean, as in Spring Boot. `http-and-another` opens a second connector.
public final class TomcatVictim {
    private TomcatVictim() {}

    /// Runs in the child JVM, which has Tomcat on its class path, but no class of jdyno.
    static final class Service {
        private static final long PAGE_MS = 20;

        private Service() {}

        public static void main(String[] args) throws Exception {
            if (args[0].equals("no-beans")) {
                Registry.disableRegistry();
            }
            Path base = Path.of(args[1]);
            Files.createDirectories(base);
            Tomcat tomcat = new Tomcat();
            tomcat.setBaseDir(base.toString());
            tomcat.setConnector(onLoopback());
            if (args[0].equals("http-and-another")) {
                tomcat.getService().addConnector(onLoopback());
            }
            Context root = tomcat.addContext("", base.toString());
            Tomcat.addServlet(root, "page", new Page()).addMapping("/");
            tomcat.start();
            StringBuilder ready = new StringBuilder("ready");
            for (Connector c : tomcat.getService().findConnectors()) {
                ready.append(' ').append(c.getLocalPort());
            }
            System.out.println(ready);
            System.out.flush();
            tomcat.getServer().await();
        }

        private static Connector onLoopback() {
            Connector connector = new Connector();
            connector.setPort(0);
            connector.setProperty("address", "127.0.0.1");
            return connector;
        }

        private static final class Page extends HttpServlet {
            private static final long serialVersionUID = 1L;

            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response)
                    throws IOException {
                try {
                    // sleeps: response time of the page
                    TimeUnit.MILLISECONDS.sleep(PAGE_MS);
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                }
                response.getWriter().print("page");
            }
        }
    }

    /// Starts Tomcat and waits until it listens.
    ///
    /// @param kind `beans`, `no-beans` or `http-and-another`
    public static Target launch(Path dir, String kind, String... flags)
            throws IOException, InterruptedException, URISyntaxException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:TieredStopAtLevel=1");
        command.addAll(List.of(flags));
        command.addAll(
                List.of(
                        "-cp",
                        classPath(),
                        Service.class.getName(),
                        kind,
                        dir.resolve("tomcat").toString()));
        return Victims.await(Target.launch(command, Victims.output(dir), Victims.limit()), dir);
    }

    /// Class path of this class, Tomcat and their dependencies, independent of the test runner.
    private static String classPath() throws URISyntaxException {
        Set<String> places = new LinkedHashSet<>();
        for (Class<?> c :
                List.of(
                        Service.class,
                        Tomcat.class,
                        jakarta.servlet.Servlet.class,
                        jakarta.annotation.Resource.class)) {
            places.add(
                    Path.of(c.getProtectionDomain().getCodeSource().getLocation().toURI())
                            .toString());
        }
        return String.join(java.io.File.pathSeparator, places);
    }

    /// The ports on which Tomcat listens.
    public static List<Integer> ports(Path dir) throws IOException {
        String line =
                Files.readString(Victims.output(dir))
                        .lines()
                        .filter(l -> l.startsWith("ready "))
                        .findFirst()
                        .orElseThrow();
        return List.of(line.substring("ready ".length()).trim().split(" ")).stream()
                .map(Integer::valueOf)
                .toList();
    }

    /// Requests the page this number of times, one after the other.
    public static void ask(int port, int times) throws IOException, InterruptedException {
        URI page = URI.create("http://127.0.0.1:" + port + "/");
        try (HttpClient client = HttpClient.newHttpClient()) {
            for (int i = 0; i < times; i++) {
                client.send(
                        HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString());
            }
        }
    }
}
