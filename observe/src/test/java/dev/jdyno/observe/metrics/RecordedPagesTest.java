package dev.jdyno.observe.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

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
import org.junit.jupiter.api.Test;
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
/// - Helidon SE 4.5.0, recorded on 30 November 2026: helidon-webserver-observe-metrics with
///   helidon-metrics-providers-micrometer and helidon-metrics-system-meters, a fixed limit of eight
///   requests with its metrics, HikariCP pool `orders` of four connections to H2 in the registry of
///   Helidon.
class RecordedPagesTest {
    private static final double SECONDS = 10;

    private static ServiceFigures between(String service, String path) throws IOException {
        long nanos = Duration.ofSeconds((long) SECONDS).toNanos();
        return reading(service + "-2.txt", path, nanos, 2)
                .since(reading(service + "-1.txt", path, 0, 1), 10, "", Optional.empty())
                .orElseThrow();
    }

    private static MetricsReading reading(String file, String path, long nanos, long asked)
            throws IOException {
        try (InputStream in =
                Objects.requireNonNull(RecordedPagesTest.class.getResourceAsStream(file))) {
            return new MetricsReading(text(in.readAllBytes()), path, nanos, nanos, asked);
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

    /// Quarkus ran the 300 requests on threads that these gauges do not count: the pool of workers
    /// had two tasks. Agroal exposes no maximum.
    @Test
    void quarkusPoolsHaveTheirNames() throws IOException {
        List<ServicePool> pools = between("quarkus-3.20.0", "/q/metrics").pools();

        assertThat(pools)
                .extracting(ServicePool::pool, ServicePool::library, ServicePool::max)
                .containsExactlyInAnyOrder(
                        tuple("default", "Agroal", Optional.empty()),
                        tuple("vert.x-worker-thread", "Vert.x", Optional.of(200.0)),
                        tuple("vert.x-internal-blocking", "Vert.x", Optional.of(20.0)));
        ServicePool workers = pools.getFirst();
        assertThat(workers.pool()).isEqualTo("vert.x-worker-thread");
        assertThat(workers.inUse().orElseThrow() * SECONDS)
                .isCloseTo(0.09511043 - 0.058876123, within(1e-9));
        assertThat(workers.heldMs().orElseThrow())
                .isCloseTo((95.11043 - 58.876123) / 2, within(1e-6));
        assertThat(workers.waitMs().orElseThrow())
                .isCloseTo((9.283037 - 8.309543) / 2, within(1e-6));
        assertThat(workers.timeouts()).contains(0L);
        assertThat(pools)
                .filteredOn(p -> p.pool().equals("vert.x-internal-blocking"))
                .singleElement()
                .satisfies(p -> {
                    assertThat(p.use()).contains(0.0);
                    assertThat(p.waiting()).contains(0.0);
                    assertThat(p.works()).isFalse();
                });
    }

    /// Helidon SE has one count of all requests, which includes the second reading.
    @Test
    void helidonCountsRequestsWithoutEndpoints() throws IOException {
        ServiceFigures figures = between("helidon-se-4.5.0", "/observe/metrics");

        assertThat(figures.endpoints()).isEmpty();
        assertThat(figures.totalPerS()).contains(300 / SECONDS);
        assertThat(figures.perS()).isEqualTo(300 / SECONDS);
        assertThat(figures.meanMs()).isEmpty();
        assertThat(figures.limiting()).isEmpty();
    }

    @Test
    void helidonsPoolAndLimitHaveTheirNames() throws IOException {
        List<ServicePool> pools = between("helidon-se-4.5.0", "/observe/metrics").pools();

        assertThat(pools)
                .extracting(ServicePool::pool, ServicePool::library, ServicePool::max)
                .containsExactly(
                        tuple("orders", "HikariCP", Optional.of(4.0)),
                        tuple("Helidon fixed limit", "Helidon fixed limit", Optional.empty()));
        ServicePool orders = pools.getFirst();
        assertThat(orders.heldMs().orElseThrow()).isCloseTo(2241 / 300.0, within(1e-9));
        assertThat(orders.waitMs().orElseThrow()).isCloseTo(1924.994742 / 300, within(1e-6));
        assertThat(orders.timeouts()).contains(0L);
        ServicePool limit = pools.getLast();
        assertThat(limit.inUse().orElseThrow() * SECONDS).isCloseTo(4.454153897, within(1e-9));
        assertThat(limit.heldMs().orElseThrow()).isCloseTo(4454.153897 / 301, within(1e-6));
        // 123 of the 301 requests waited
        assertThat(limit.waitMs().orElseThrow()).isCloseTo(713.964102 / 123, within(1e-6));
        assertThat(limit.timeouts()).contains(0L);
    }
}
