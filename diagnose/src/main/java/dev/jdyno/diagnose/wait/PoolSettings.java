package dev.jdyno.diagnose.wait;

import dev.jdyno.measure.thread.Place;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The name of a pool's size setting in the library that lends from the pool.
final class PoolSettings {
    /// Names of size settings by library. Places in thread samples begin with the library's name
    /// (`frames.txt`).
    private static final Map<String, String> SIZES =
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
                    Map.entry("Apache-HttpClient", "maxConnPerRoute"));

    /// The place at which a size is set.
    ///
    /// @param property property of the usual framework
    /// @param code a method, or the library's own property
    /// @param besides another limit that must be at least as large
    private record SetBy(
            Optional<String> property, Optional<String> code, Optional<String> besides) {
        static SetBy property(String name) {
            return new SetBy(Optional.of(name), Optional.empty(), Optional.empty());
        }

        static SetBy code(String how) {
            return new SetBy(Optional.empty(), Optional.of(how), Optional.empty());
        }

        SetBy or(String how) {
            return new SetBy(
                    property,
                    Optional.of(code.map(first -> first + ", or " + how).orElse(how)),
                    besides);
        }

        /// @param other another limit of the library, which must be at least as large as the size
        SetBy besides(String other) {
            return new SetBy(property, code, Optional.of(other));
        }

        String says() {
            return Stream.concat(property.stream(), code.stream())
                            .collect(Collectors.joining(", or "))
                    + besides.map(other -> ", with " + other + " at least as large").orElse("");
        }
    }

    /// The place at which the size is set, by library. Some libraries have a second limit that may
    /// keep the pool at its present size. It is a total over all routes, or the number of idle
    /// connections that stay open.
    private static final Map<String, SetBy> SET_BY =
            Map.ofEntries(
                    Map.entry(
                            "HikariCP",
                            SetBy.property("spring.datasource.hikari.maximum-pool-size")
                                    .or("HikariConfig.setMaximumPoolSize")),
                    Map.entry(
                            "Tomcat-JDBC",
                            SetBy.property("spring.datasource.tomcat.max-active")
                                    .or("PoolProperties.setMaxActive")
                                    .besides("maxIdle")),
                    Map.entry(
                            "DBCP",
                            SetBy.property("spring.datasource.dbcp2.max-total")
                                    .or("BasicDataSource.setMaxTotal")
                                    .besides("maxIdle")),
                    Map.entry(
                            "commons-pool",
                            SetBy.code("GenericObjectPoolConfig.setMaxTotal").besides("maxIdle")),
                    Map.entry(
                            "Druid",
                            SetBy.property("spring.datasource.druid.max-active")
                                    .or("DruidDataSource.setMaxActive")),
                    Map.entry(
                            "c3p0",
                            SetBy.code("ComboPooledDataSource.setMaxPoolSize")
                                    .or("c3p0.maxPoolSize in c3p0.properties")),
                    Map.entry("Agroal", SetBy.property("quarkus.datasource.jdbc.max-size")),
                    Map.entry("Vibur", SetBy.code("ViburDBCPDataSource.setPoolMaxSize")),
                    Map.entry(
                            "Jedis",
                            SetBy.property("spring.data.redis.jedis.pool.max-active")
                                    .or("JedisPoolConfig.setMaxTotal")
                                    .besides("maxIdle")),
                    Map.entry(
                            "Lettuce",
                            SetBy.property("spring.data.redis.lettuce.pool.max-active")
                                    .or("GenericObjectPoolConfig.setMaxTotal")
                                    .besides("maxIdle")),
                    Map.entry("R2DBC", SetBy.property("spring.r2dbc.pool.max-size")),
                    Map.entry("MongoDB", SetBy.code("maxPoolSize in the connection string")),
                    Map.entry(
                            "Apache-HttpClient-3",
                            SetBy.code(
                                            "HttpConnectionManagerParams"
                                                    + ".setDefaultMaxConnectionsPerHost (2 by default)")
                                    .besides("maxTotalConnections (20 by default)")),
                    Map.entry(
                            "Apache-HttpClient-4",
                            SetBy.code(
                                            "HttpClientBuilder.setMaxConnPerRoute, or setDefaultMaxPerRoute of the"
                                                    + " connection manager (2 by default)")
                                    .besides("maxConnTotal (20 by default)")),
                    Map.entry(
                            "Apache-HttpClient-5",
                            SetBy.code(
                                            "PoolingHttpClientConnectionManagerBuilder"
                                                    + ".setMaxConnPerRoute (5 by default)")
                                    .besides("maxConnTotal (25 by default)")));

    /// Libraries that lend connections to a database.
    private static final Set<String> OF_DATABASES =
            Set.of("HikariCP", "Tomcat-JDBC", "DBCP", "Druid", "c3p0", "Agroal", "Vibur", "R2DBC");

    private PoolSettings() {}

    /// Returns the name of the library that lends, as places begin with it; empty text if unknown.
    static String library(Optional<Place> pool) {
        return pool.map(p -> p instanceof Place.Library l ? l.name() : "").orElse("");
    }

    /// True if the pool lends connections to a database.
    static boolean isOfDatabase(Optional<Place> pool) {
        return OF_DATABASES.stream().anyMatch(library(pool)::startsWith);
    }

    /// Returns the name of its size: `HikariCP's maximumPoolSize`.
    ///
    /// @param pool the place of the pool; empty if no thread was found waiting for it
    static String size(Optional<Place> pool) {
        return of(library(pool), SIZES)
                .map(e -> e.getKey() + "'s " + e.getValue())
                .orElse("the size of the pool (maximumPoolSize, maxTotal, …)");
    }

    /// Returns the name by which its size is set: the property of the framework that is in use, or
    /// else that of the library.
    ///
    /// @param spring true if Spring runs
    static String name(Optional<Place> pool, boolean spring) {
        return of(library(pool), SET_BY)
                .flatMap(e -> e.getValue().property())
                .filter(property -> spring || !property.startsWith("spring."))
                .orElseGet(() -> size(pool));
    }

    /// Returns where to set its size, as a clause: `spring.datasource.hikari.maximum-pool-size, or
    /// …`.
    static Optional<String> setBy(Optional<Place> pool) {
        return setBy(library(pool));
    }

    /// Returns only the property, in brackets; an empty text if no property is known.
    static String property(Optional<Place> pool) {
        return of(library(pool), SET_BY)
                .flatMap(e -> e.getValue().property())
                .map(name -> " (" + name + ")")
                .orElse("");
    }

    /// @param library name of the library, or a text that begins with that name
    static Optional<String> setBy(String library) {
        return of(library, SET_BY).map(e -> e.getValue().says());
    }

    private static <T> Optional<Map.Entry<String, T>> of(String library, Map<String, T> names) {
        return names.entrySet().stream()
                .filter(e -> library.startsWith(e.getKey()))
                .max(Comparator.comparingInt(e -> e.getKey().length()));
    }
}
