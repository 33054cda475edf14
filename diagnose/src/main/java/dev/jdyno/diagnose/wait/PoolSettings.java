package dev.jdyno.diagnose.wait;

import dev.jdyno.measure.thread.Place;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// How the size of a pool is called in the library that was seen lending from it.
final class PoolSettings {
    /// By the library's name as places of a set of thread samples begin (`frames.txt`).
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

    /// Of these, those that lend connections to a database.
    private static final Set<String> OF_DATABASES =
            Set.of("HikariCP", "Tomcat-JDBC", "DBCP", "Druid", "c3p0", "Agroal", "Vibur", "R2DBC");

    private PoolSettings() {}

    private static String library(Optional<Place> pool) {
        return pool.map(p -> p instanceof Place.Library l ? l.name() : "").orElse("");
    }

    /// Whether the pool lends connections to a database.
    static boolean isOfDatabase(Optional<Place> pool) {
        return OF_DATABASES.stream().anyMatch(library(pool)::startsWith);
    }

    /// @param pool the place that is lent from; empty where no thread was seen waiting for it
    static String size(Optional<Place> pool) {
        String library = library(pool);
        return SIZES.entrySet().stream()
                .filter(e -> library.startsWith(e.getKey()))
                .findFirst()
                .map(e -> e.getKey() + ": " + e.getValue())
                .orElse("its size (maximumPoolSize, maxTotal, …)");
    }
}
