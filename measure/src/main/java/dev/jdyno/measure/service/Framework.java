package dev.jdyno.measure.service;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;

/// A framework with properties of its own for the sizes of pools.
public enum Framework {
    SPRING_BOOT("Spring Boot", "org.springframework.", "/actuator/prometheus"),
    QUARKUS("Quarkus", "io.quarkus.", "/q/metrics"),
    MICRONAUT("Micronaut", "io.micronaut.", "/prometheus"),
    HELIDON("Helidon", "io.helidon.", "/observe/metrics");

    private final String title;
    private final String packages;
    private final String metrics;

    Framework(String title, String packages, String metrics) {
        this.title = title;
        this.packages = packages;
        this.metrics = metrics;
    }

    public String title() {
        return title;
    }

    /// Beginning of the names of its classes.
    public String packages() {
        return packages;
    }

    /// The framework that runs; empty if no code of a known one was observed.
    ///
    /// @param runs whether names of the observed code begin with a text
    public static Optional<Framework> of(Predicate<String> runs) {
        return Arrays.stream(values()).filter(f -> runs.test(f.packages)).findFirst();
    }

    /// The framework that has its metrics at such an address; empty if the path is none of a known
    /// framework, such as `/metrics`.
    ///
    /// @param address of the metrics, without a query
    public static Optional<Framework> ofMetrics(String address) {
        return Arrays.stream(values()).filter(f -> f.hasMetricsAt(address)).findFirst();
    }

    private boolean hasMetricsAt(String address) {
        return switch (this) {
            case SPRING_BOOT, QUARKUS, HELIDON -> address.endsWith(metrics);
            // any service may have a path that ends so, such as Spring Boot at `/manage/prometheus`
            case MICRONAUT -> path(address).equals(metrics);
        };
    }

    /// The path of an address, which need not be valid.
    private static String path(String address) {
        int scheme = address.indexOf("://");
        int path = address.indexOf('/', scheme < 0 ? 0 : scheme + "://".length());
        return path < 0 ? "" : address.substring(path);
    }
}
