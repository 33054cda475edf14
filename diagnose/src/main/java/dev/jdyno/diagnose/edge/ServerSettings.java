package dev.jdyno.diagnose.edge;

import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Names of the settings of one server, so that advice for Jetty does not use names of Tomcat.
///
/// @param packages beginning of the names of the server's classes
/// @param pools beginning of the default names of the server's threads
/// @param threads setting for the number of serving threads
/// @param accepting setting for the number of connections that are served or wait
/// @param size name of the setting for the number of serving threads
/// @param backlog name of the setting for the number of connections that wait to be accepted
public record ServerSettings(
        String title,
        List<String> packages,
        List<String> pools,
        Setting threads,
        Setting accepting,
        Name size,
        Name backlog) {
    /// @param own the server's own setting
    /// @param springBoot the Spring Boot property; empty if there is none
    record Setting(String own, String springBoot) {
        private String text(Situation s) {
            return springBoot.isEmpty() || !s.runs(SPRING)
                    ? own
                    : own + " (Spring Boot: " + springBoot + ")";
        }
    }

    /// The name of one setting.
    ///
    /// @param own the server's name of the setting; empty if the application sets the value in code
    /// @param springBoot the Spring Boot property; empty if there is none
    record Name(String own, String springBoot) {
        private Optional<String> in(Situation s, String title) {
            if (!springBoot.isEmpty() && s.runs(SPRING)) {
                return Optional.of(springBoot);
            }
            return own.isEmpty() ? Optional.empty() : Optional.of(title + "'s " + own);
        }
    }

    private static final String SPRING = "org.springframework.";

    private static final List<ServerSettings> KNOWN =
            List.of(
                    new ServerSettings(
                            "Tomcat",
                            List.of(
                                    "org.apache.tomcat.",
                                    "org.apache.coyote.",
                                    "org.apache.catalina."),
                            List.of("http-nio", "http-apr", "Catalina-utility"),
                            new Setting("maxThreads of the connector", "server.tomcat.threads.max"),
                            new Setting(
                                    "acceptCount and maxConnections of the connector",
                                    "server.tomcat.accept-count, server.tomcat.max-connections"),
                            new Name("maxThreads", "server.tomcat.threads.max"),
                            new Name("acceptCount", "server.tomcat.accept-count")),
                    new ServerSettings(
                            "Jetty",
                            List.of("org.eclipse.jetty."),
                            List.of("qtp", "JettyServerThreadPool"),
                            new Setting(
                                    "maxThreads of its QueuedThreadPool, of which acceptors and selectors"
                                            + " take some",
                                    "server.jetty.threads.max"),
                            new Setting(
                                    "ServerConnector.setAcceptQueueSize, and its ConnectionLimit or"
                                            + " AcceptRateLimit, if it has one",
                                    "server.jetty.max-connections"),
                            new Name("maxThreads", "server.jetty.threads.max"),
                            new Name("acceptQueueSize", "")),
                    new ServerSettings(
                            "Undertow",
                            List.of("io.undertow.", "org.xnio."),
                            List.of("XNIO-"),
                            new Setting(
                                    "worker threads: Undertow.Builder.setWorkerThreads",
                                    "server.undertow.threads.worker"),
                            new Setting(
                                    "the socket option BACKLOG (UndertowOptions, Options.BACKLOG), and its"
                                            + " request limit if it has one",
                                    ""),
                            new Name("workerThreads", "server.undertow.threads.worker"),
                            new Name("BACKLOG", "")),
                    new ServerSettings(
                            "the JDK's server",
                            List.of("sun.net.httpserver."),
                            List.of("HTTP-Dispatcher"),
                            new Setting("the executor given to HttpServer.setExecutor", ""),
                            new Setting(
                                    "the backlog given to HttpServer.create, and"
                                            + " -Djdk.httpserver.maxConnections",
                                    ""),
                            new Name("", ""),
                            new Name("", "")));

    public ServerSettings {
        packages = List.copyOf(packages);
        pools = List.copyOf(pools);
    }

    /// Returns where to set the number of threads of a pool. It is a setting of the server for a
    /// pool of the server, or else the code that creates the executor.
    public static String threads(Situation s, String pool) {
        return of(s).filter(v -> !v.serves(s, pool)).isPresent()
                ? "the size its executor is made with"
                : threads(s);
    }

    /// Returns where to set the number of serving threads.
    public static String threads(Situation s) {
        return of(s).map(v -> v.title + ": " + v.threads.text(s))
                .orElse("maxThreads of the server, or the size of its executor");
    }

    /// Returns where to set the number of connections that are served or wait.
    public static String accepting(Situation s) {
        return of(s).map(v -> v.title + ": " + v.accepting.text(s))
                .orElse("the backlog of its server socket, and the server's limit of connections");
    }

    /// Returns the name of the setting for the number of threads of a pool. It is the server's name
    /// for a pool of the server. For another pool, it contains the name of the pool.
    public static String threadsName(Situation s, String pool) {
        return of(s).filter(v -> v.serves(s, pool))
                .flatMap(v -> v.size.in(s, v.title))
                .orElse("threads of " + pool);
    }

    /// Returns the name of the setting for the number of connections that wait to be accepted.
    static String backlogName(Situation s) {
        return of(s).flatMap(v -> v.backlog.in(s, v.title))
                .orElse("the backlog of its server socket");
    }

    /// True if the pool belongs to the server. Its name shows that, or its threads accept requests
    /// and no pool has the server's default name.
    private boolean serves(Situation s, String pool) {
        return isDefault(pool)
                || (names(s).noneMatch(this::isDefault)
                        && s.evidence().saturated().stream()
                                .flatMap(c -> c.pools().stream())
                                .anyMatch(p -> p.name().equals(pool) && p.serving()));
    }

    private boolean isDefault(String pool) {
        return pools.stream().anyMatch(pool::startsWith);
    }

    /// Returns the only server whose threads or code were found; empty if there are none or
    /// several.
    static Optional<ServerSettings> of(Situation s) {
        List<ServerSettings> seen =
                KNOWN.stream().filter(v -> names(s).anyMatch(v::isDefault)).toList();
        if (seen.isEmpty()) {
            seen =
                    KNOWN.stream()
                            .filter(v ->
                                    s.code()
                                            .anyMatch(c ->
                                                    v.packages.stream().anyMatch(c::startsWith)))
                            .toList();
        }
        return seen.size() == 1 ? Optional.of(seen.getFirst()) : Optional.empty();
    }

    private static Stream<String> names(Situation s) {
        return s.evidence().saturated().stream()
                .flatMap(c -> c.pools().stream())
                .map(ThreadSamples.Pool::name);
    }
}
