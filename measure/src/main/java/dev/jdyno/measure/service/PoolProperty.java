package dev.jdyno.measure.service;

import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/// The names of the settings for the sizes of pools: the property of a framework, and the name in
/// the library that lends from the pool.
public final class PoolProperty {
    /// Names of size settings by library. Places in thread samples begin with the library's name
    /// (`frames.txt`).
    private static final Map<String, String> OWN =
            Map.ofEntries(
                    Map.entry("HikariCP", "maximumPoolSize"),
                    Map.entry("Tomcat-JDBC", "maxActive"),
                    Map.entry("DBCP", "maxTotal"),
                    Map.entry("commons-pool", "maxTotal"),
                    Map.entry("Druid", "maxActive"),
                    Map.entry("c3p0", "maxPoolSize"),
                    Map.entry("Agroal", "max-size"),
                    Map.entry("Vibur", "poolMaxSize"),
                    Map.entry("Jedis", "maxTotal"),
                    Map.entry("Lettuce", "maxTotal"),
                    Map.entry("R2DBC", "maxSize"),
                    Map.entry("MongoDB", "maxPoolSize"),
                    Map.entry("Apache-HttpClient-3", "defaultMaxConnectionsPerHost"),
                    Map.entry("Apache-HttpClient-4", "maxConnPerRoute"),
                    Map.entry("Apache-HttpClient-5", "maxConnPerRoute"),
                    // without a version: the metrics, which count all routes together
                    Map.entry("Apache-HttpClient", "maxConnTotal"),
                    Map.entry("Tomcat", "maxThreads"),
                    Map.entry("Jetty", "maxThreads"));

    /// Property of the default data source.
    private static final String AGROAL_OF_QUARKUS = "quarkus.datasource.jdbc.max-size";

    /// Properties by library, for each framework that has one. Helidon has none that fits its two
    /// kinds of applications.
    private static final Map<String, Map<Framework, String>> PROPERTIES =
            Map.ofEntries(
                    Map.entry(
                            "HikariCP",
                            Map.of(
                                    Framework.SPRING_BOOT,
                                    "spring.datasource.hikari.maximum-pool-size",
                                    Framework.MICRONAUT,
                                    "datasources.default.maximum-pool-size")),
                    Map.entry(
                            "Tomcat-JDBC",
                            Map.of(
                                    Framework.SPRING_BOOT,
                                    "spring.datasource.tomcat.max-active",
                                    Framework.MICRONAUT,
                                    "datasources.default.max-active")),
                    Map.entry(
                            "DBCP",
                            Map.of(
                                    Framework.SPRING_BOOT,
                                    "spring.datasource.dbcp2.max-total",
                                    Framework.MICRONAUT,
                                    "datasources.default.max-total")),
                    Map.entry("Druid", spring("spring.datasource.druid.max-active")),
                    Map.entry("Jedis", spring("spring.data.redis.jedis.pool.max-active")),
                    Map.entry("Lettuce", spring("spring.data.redis.lettuce.pool.max-active")),
                    Map.entry("R2DBC", spring("spring.r2dbc.pool.max-size")),
                    Map.entry("Tomcat", spring("server.tomcat.threads.max")),
                    Map.entry("Jetty", spring("server.jetty.threads.max")),
                    Map.entry("Agroal", Map.of(Framework.QUARKUS, AGROAL_OF_QUARKUS)),
                    Map.entry(
                            "Helidon fixed limit",
                            Map.of(Framework.HELIDON, "server.concurrency-limit.fixed.permits")));

    /// Properties of executors and workers, by the name of the pool in the service's metrics.
    private static final Map<String, Map<Framework, String>> BY_POOL =
            Map.of(
                    "applicationTaskExecutor",
                    spring("spring.task.execution.pool.core-size"),
                    "taskScheduler",
                    spring("spring.task.scheduling.pool.size"),
                    "vert.x-worker-thread",
                    Map.of(Framework.QUARKUS, "quarkus.thread-pool.max-threads"));

    private PoolProperty() {}

    private static Map<Framework, String> spring(String property) {
        return Map.of(Framework.SPRING_BOOT, property);
    }

    /// Returns the name of the size in the library itself, with the library's name, as in
    /// `HikariCP` and `maximumPoolSize`.
    ///
    /// @param library name of the library, or a text that begins with that name
    public static Optional<Map.Entry<String, String>> own(String library) {
        return entry(library, OWN);
    }

    /// Returns the property of a framework; empty if the framework has none for this library.
    ///
    /// @param library name of the library, or a text that begins with that name
    /// @param framework the framework that runs; empty if none is known to run
    public static Optional<String> of(String library, Optional<Framework> framework) {
        return framework.flatMap(f ->
                entry(library, PROPERTIES).flatMap(e -> Optional.ofNullable(e.getValue().get(f))));
    }

    /// Returns the property of a framework for a pool of the service's metrics.
    ///
    /// @param pool name of the pool there
    public static Optional<String> of(String library, String pool, Optional<Framework> framework) {
        Map<Framework, String> named = BY_POOL.getOrDefault(pool, Map.of());
        return framework
                .flatMap(f -> Optional.ofNullable(named.get(f)))
                .or(() ->
                        of(library, framework)
                                .flatMap(p ->
                                        p.equals(AGROAL_OF_QUARKUS)
                                                ? ofDataSource(library, pool)
                                                : Optional.of(p)));
    }

    /// Returns the property of one data source of Quarkus, whose metrics have its name as that of
    /// the pool; empty if that is no name of a data source.
    private static Optional<String> ofDataSource(String library, String pool) {
        if (pool.equals("default") || pool.equals("<default>") || pool.equals(library)) {
            return Optional.of(AGROAL_OF_QUARKUS);
        }
        return pool.matches("[\\w-]{1,64}")
                ? Optional.of(AGROAL_OF_QUARKUS.replace(".jdbc.", "." + pool + ".jdbc."))
                : Optional.empty();
    }

    /// Returns the entry with the longest name with which the library's name begins.
    private static <T> Optional<Map.Entry<String, T>> entry(String library, Map<String, T> names) {
        return names.entrySet().stream()
                .filter(e -> library.startsWith(e.getKey()))
                .max(Comparator.comparingInt(e -> e.getKey().length()));
    }
}
