package dev.jdyno.diagnose.wait;

import dev.jdyno.measure.service.Framework;
import dev.jdyno.measure.service.PoolProperty;
import dev.jdyno.measure.thread.Place;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The name of a pool's size setting in the library that lends from the pool.
final class PoolSettings {
    /// The place at which code or the library's own configuration sets a size.
    ///
    /// @param how a method, or the library's own property
    /// @param besides another limit that must be at least as large
    private record SetBy(String how, Optional<String> besides) {
        static SetBy code(String how) {
            return new SetBy(how, Optional.empty());
        }

        /// @param other another limit of the library, which must be at least as large as the size
        SetBy besides(String other) {
            return new SetBy(how, Optional.of(other));
        }
    }

    /// The place at which the size is set without a framework's property, by library. Some
    /// libraries have a second limit that may keep the pool at its present size. It is a total over
    /// all routes, or the number of idle connections that stay open.
    private static final Map<String, SetBy> SET_BY =
            Map.ofEntries(
                    Map.entry("HikariCP", SetBy.code("HikariConfig.setMaximumPoolSize")),
                    Map.entry(
                            "Tomcat-JDBC",
                            SetBy.code("PoolProperties.setMaxActive").besides("maxIdle")),
                    Map.entry("DBCP", SetBy.code("BasicDataSource.setMaxTotal").besides("maxIdle")),
                    Map.entry(
                            "commons-pool",
                            SetBy.code("GenericObjectPoolConfig.setMaxTotal").besides("maxIdle")),
                    Map.entry("Druid", SetBy.code("DruidDataSource.setMaxActive")),
                    Map.entry(
                            "c3p0",
                            SetBy.code(
                                    "ComboPooledDataSource.setMaxPoolSize, or c3p0.maxPoolSize in"
                                            + " c3p0.properties")),
                    Map.entry(
                            "Agroal",
                            SetBy.code("AgroalConnectionPoolConfigurationSupplier.maxSize")),
                    Map.entry("Vibur", SetBy.code("ViburDBCPDataSource.setPoolMaxSize")),
                    Map.entry(
                            "Jedis", SetBy.code("JedisPoolConfig.setMaxTotal").besides("maxIdle")),
                    Map.entry(
                            "Lettuce",
                            SetBy.code("GenericObjectPoolConfig.setMaxTotal").besides("maxIdle")),
                    Map.entry("R2DBC", SetBy.code("ConnectionPoolConfiguration.Builder.maxSize")),
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

    /// Further places, by library, for a framework whose kinds of applications differ.
    private static final Map<String, String> HELIDON =
            Map.of("HikariCP", "javax.sql.DataSource.NAME.maximumPoolSize of Helidon MP");

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
        return PoolProperty.own(library(pool))
                .map(e -> e.getKey() + "'s " + e.getValue())
                .orElse("the size of the pool (maximumPoolSize, maxTotal, …)");
    }

    /// Returns the name by which its size is set: the property of the framework that is in use, or
    /// else that of the library.
    ///
    /// @param framework the framework that runs; empty if code of none was observed
    static String name(Optional<Place> pool, Optional<Framework> framework) {
        return PoolProperty.of(library(pool), framework).orElseGet(() -> size(pool));
    }

    /// Returns where to set its size, as a clause: `spring.datasource.hikari.maximum-pool-size, or
    /// …`.
    static Optional<String> setBy(Optional<Place> pool, Optional<Framework> framework) {
        return setBy(library(pool), framework);
    }

    /// Returns only the property of the framework, in brackets; an empty text if no property is
    /// known.
    static String property(Optional<Place> pool, Optional<Framework> framework) {
        return PoolProperty.of(library(pool), framework).map(name -> " (" + name + ")").orElse("");
    }

    /// @param library name of the library, or a text that begins with that name
    static Optional<String> setBy(String library, Optional<Framework> framework) {
        Optional<String> property = PoolProperty.of(library, framework);
        Optional<SetBy> code = of(library, SET_BY);
        Optional<String> also =
                framework.filter(Framework.HELIDON::equals).flatMap(_ -> of(library, HELIDON));
        String all =
                Stream.of(property, code.map(SetBy::how), also)
                        .flatMap(Optional::stream)
                        .collect(Collectors.joining(", or "));
        return Optional.of(
                        all
                                + code.flatMap(SetBy::besides)
                                        .map(other -> ", with " + other + " at least as large")
                                        .orElse(""))
                .filter(says -> !says.isEmpty());
    }

    private static <T> Optional<T> of(String library, Map<String, T> names) {
        return names.entrySet().stream()
                .filter(e -> library.startsWith(e.getKey()))
                .max(Comparator.comparingInt(e -> e.getKey().length()))
                .map(Map.Entry::getValue);
    }
}
