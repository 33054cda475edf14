package dev.jdyno.diagnose.wait;

import dev.jdyno.measure.thread.Place;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The name of a pool's size setting in the library that lends from the pool.
final class PoolSettings {
    /// Size settings by the library's name, with which places in thread samples begin
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
                    Map.entry("R2DBC", "maxSize"),
                    Map.entry("MongoDB", "maxPoolSize"),
                    Map.entry(
                            "Apache-HttpClient",
                            "maxConnPerRoute and maxConnTotal (5 and 25 by default, 2 and 20 before"
                                    + " version 5)"));

    /// Where to set a size.
    ///
    /// @param property property of the usual framework
    /// @param code a method, or the library's own property
    private record SetBy(Optional<String> property, Optional<String> code) {
        static SetBy property(String name) {
            return new SetBy(Optional.of(name), Optional.empty());
        }

        static SetBy code(String how) {
            return new SetBy(Optional.empty(), Optional.of(how));
        }

        SetBy or(String how) {
            return new SetBy(
                    property, Optional.of(code.map(first -> first + ", or " + how).orElse(how)));
        }

        String says() {
            return Stream.concat(property.stream(), code.stream())
                    .collect(Collectors.joining(", or "));
        }
    }

    /// Where to set the size, by the same names.
    private static final Map<String, SetBy> SET_BY =
            Map.of(
                    "HikariCP",
                    SetBy.property("spring.datasource.hikari.maximum-pool-size")
                            .or("HikariConfig.setMaximumPoolSize"),
                    "Tomcat-JDBC",
                    SetBy.property("spring.datasource.tomcat.max-active")
                            .or("PoolProperties.setMaxActive"),
                    "DBCP",
                    SetBy.property("spring.datasource.dbcp2.max-total")
                            .or("BasicDataSource.setMaxTotal"),
                    "Druid",
                    SetBy.property("spring.datasource.druid.max-active")
                            .or("DruidDataSource.setMaxActive"),
                    "c3p0",
                    SetBy.code("ComboPooledDataSource.setMaxPoolSize")
                            .or("c3p0.maxPoolSize in c3p0.properties"),
                    "Agroal",
                    SetBy.property("quarkus.datasource.jdbc.max-size"),
                    "Vibur",
                    SetBy.code("ViburDBCPDataSource.setPoolMaxSize"),
                    "Jedis",
                    SetBy.property("spring.data.redis.jedis.pool.max-active")
                            .or("JedisPoolConfig.setMaxTotal"),
                    "R2DBC",
                    SetBy.property("spring.r2dbc.pool.max-size"),
                    "MongoDB",
                    SetBy.code("maxPoolSize in the connection string"));

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
    /// @param pool the place that lends; empty if no thread was seen waiting for it
    static String size(Optional<Place> pool) {
        return of(library(pool), SIZES)
                .map(e -> e.getKey() + "'s " + e.getValue())
                .orElse("the size of the pool (maximumPoolSize, maxTotal, …)");
    }

    /// Returns the name by which its size is set: the property of the framework that runs, or else
    /// that of the library.
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

    /// Returns only the property, in brackets; an empty text if none is known.
    static String property(Optional<Place> pool) {
        return of(library(pool), SET_BY)
                .flatMap(e -> e.getValue().property())
                .map(name -> " (" + name + ")")
                .orElse("");
    }

    /// @param library its name, or a text that begins with it
    static Optional<String> setBy(String library) {
        return of(library, SET_BY).map(e -> e.getValue().says());
    }

    private static <T> Optional<Map.Entry<String, T>> of(String library, Map<String, T> names) {
        return names.entrySet().stream().filter(e -> library.startsWith(e.getKey())).findFirst();
    }
}
