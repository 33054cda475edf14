package dev.jdyno.observe.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.jdyno.foreign.Malformed;
import dev.jdyno.foreign.PrometheusText;
import dev.jdyno.measure.service.EndpointFigures;
import dev.jdyno.measure.service.ServiceFigures;
import dev.jdyno.measure.service.ServicePool;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Pages of real services, recorded with Temurin 25 on 29 November 2026. Between the two pages of a
/// service, ten clients sent 200 requests to `/items/{id}` and 100 to `/checkout`, which takes 20
/// ms.
///
/// - Spring Boot 3.5.6 and 4.1.2: actuator with Micrometer's Prometheus registry, Tomcat with its
///   MBeans, HikariCP pool `orders` of four connections to H2.
/// - Quarkus 3.20.0: quarkus-micrometer-registry-prometheus, Agroal pool of four connections to H2.
/// - Micronaut 4.10.7: micronaut-micrometer-registry-prometheus.
class RecordedPagesTest {
    private static final double SECONDS = 10;

    private static ServiceFigures between(String service, String path) throws IOException {
        long nanos = Duration.ofSeconds((long) SECONDS).toNanos();
        return reading(service + "-2.txt", path, nanos)
                .since(reading(service + "-1.txt", path, 0), 10, "", Optional.empty())
                .orElseThrow();
    }

    private static MetricsReading reading(String file, String path, long nanos) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(RecordedPagesTest.class.getResourceAsStream(file))) {
            return new MetricsReading(text(in.readAllBytes()), path, nanos, nanos);
        }
    }

    private static PrometheusText text(byte[] page) throws Malformed {
        return PrometheusText.read(page, MetricsReading::wants, PrometheusText.Limits.DEFAULT);
    }

    @ParameterizedTest
    @CsvSource({
        "spring-boot-3.5.6, /actuator/prometheus",
        "spring-boot-4.1.2, /actuator/prometheus",
        "quarkus-3.20.0, /q/metrics",
        "micronaut-4.10.7, /prometheus"
    })
    void requestsAreCountedByEndpoint(String service, String path) throws IOException {
        ServiceFigures figures = between(service, path);

        assertThat(figures.endpoints())
                .extracting(
                        EndpointFigures::name, EndpointFigures::status, EndpointFigures::requests)
                .containsExactlyInAnyOrder(
                        tuple("GET /checkout", "2xx", 100L), tuple("GET /items/{id}", "2xx", 200L));
        assertThat(figures.endpoints())
                .filteredOn(e -> e.uri().equals("/checkout"))
                .singleElement()
                .satisfies(e -> assertThat(e.meanMs()).isGreaterThan(20));
    }

    @ParameterizedTest
    @CsvSource({"spring-boot-3.5.6", "spring-boot-4.1.2"})
    void springBootsPoolsHaveTheirNames(String service) throws IOException {
        List<ServicePool> pools = between(service, "/actuator/prometheus").pools();

        assertThat(pools).extracting(ServicePool::library).contains("HikariCP", "Tomcat");
        ServicePool orders =
                pools.stream().filter(p -> p.pool().equals("orders")).findFirst().orElseThrow();
        assertThat(orders.max()).contains(4.0);
        assertThat(orders.heldMs().orElseThrow()).isGreaterThan(20);
        // ten clients share four connections, so requests wait
        assertThat(orders.waitMs().orElseThrow()).isGreaterThan(1);
    }
}
