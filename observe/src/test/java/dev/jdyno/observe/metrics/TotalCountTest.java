package dev.jdyno.observe.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.jdyno.foreign.Malformed;
import dev.jdyno.foreign.PrometheusText;
import dev.jdyno.measure.service.ServiceFigures;
import dev.jdyno.measure.service.ServicePool;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Services with one count of all requests.
class TotalCountTest {
    private static final long SECOND = 1_000_000_000L;

    private static MetricsReading reading(String page, long second, long asked) throws Malformed {
        PrometheusText text =
                PrometheusText.read(
                        page.getBytes(StandardCharsets.UTF_8),
                        MetricsReading::wants,
                        PrometheusText.Limits.DEFAULT);
        return new MetricsReading(text, "/m", second * SECOND, second * SECOND, asked);
    }

    /// Figures of ten seconds in which jdyno read the metrics twice more.
    private static Optional<ServiceFigures> between(String before, String after) throws Malformed {
        return reading(after, 10, 3).since(reading(before, 0, 1), 1, "", Optional.empty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "requests_count_total{scope=\"vendor\",} ",
                "requests_count_total{mp_scope=\"vendor\",} ",
                "vendor_requests_count_total "
            })
    void countsAllRequestsButThoseOfJdyno(String name) throws Malformed {
        assertThat(between(name + 5, name + 107).orElseThrow().perS()).isEqualTo(10);
        assertThat(between(name + 5, name + 6).orElseThrow().perS()).isEqualTo(0);
        assertThat(MetricsReading.isKnown(reading(name + 5, 0, 1).text())).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "requests_count_total ",
                "requests_count_total{scope=\"application\"} ",
                "requests_count_total{queue=\"vendor\"} "
            })
    void counterOfTheApplicationIsNotRead(String name) throws Malformed {
        assertThat(between(name + 5, name + 107).orElseThrow().totalPerS()).isEmpty();
        assertThat(MetricsReading.isKnown(reading(name + 5, 0, 1).text())).isFalse();
    }

    @Test
    void countThatStartsAgainGivesNoFigures() throws Malformed {
        String name = "requests_count_total{scope=\"vendor\"} ";

        assertThat(between(name + 107, name + 5)).isEmpty();
    }

    /// In contrast to a page without a count of requests.
    @Test
    void endpointsWithoutRequestsAreCounted() throws Malformed {
        String page =
                """
                http_server_requests_seconds_count{method="GET",status="200",uri="/a"} 9
                http_server_requests_seconds_sum{method="GET",status="200",uri="/a"} 1
                """;

        ServiceFigures idle = between(page, page).orElseThrow();

        assertThat(idle.endpoints()).isEmpty();
        assertThat(idle.countsRequests()).isTrue();
        assertThat(idle.perS()).isEqualTo(0);
    }

    @Test
    void pageOfPoolsAloneDoesNotCountRequests() throws Malformed {
        String page = "hikaricp_connections_active{pool=\"a\"} 1\n";

        ServiceFigures figures = between(page, page).orElseThrow();

        assertThat(figures.countsRequests()).isFalse();
        assertThat(figures.pools()).hasSize(1);
    }

    /// jdyno's own readings do not show that other requests are counted.
    @Test
    void endpointOfTheMetricsAloneDoesNotCountRequests() throws Malformed {
        String page = "http_server_requests_seconds_count{method=\"GET\",uri=\"/m\"} ";

        assertThat(between(page + 5, page + 7).orElseThrow().countsRequests()).isFalse();
    }

    @Test
    void endpointsComeBeforeTheCount() throws Malformed {
        String page =
                """
                requests_count_total{mp_scope="vendor"} %1$d
                REST_request_seconds_count{class="Shop",method="all"} %2$d
                REST_request_seconds_sum{class="Shop",method="all"} %2$d
                """;

        ServiceFigures figures =
                between(page.formatted(10, 5), page.formatted(112, 55)).orElseThrow();

        assertThat(figures.totalPerS()).contains(10.0);
        assertThat(figures.perS()).isEqualTo(5);
        assertThat(figures.meanMs()).contains(1000.0);
    }

    /// Names of Helidon's limits on the requests in flight.
    @ParameterizedTest
    @CsvSource({"fixed, fixed", "aimd, AIMD", "throughput, throughput"})
    void limitOfTheWebServerIsAPool(String algorithm, String word) throws Malformed {
        String page =
                """
                X_limit{scope="vendor",socketName="admin"} 20
                X_concurrent_requests{scope="vendor",socketName="admin"} 15
                X_queue_length{scope="vendor",socketName="admin"} 2
                X_rejected_requests{scope="vendor",socketName="admin"} 7
                """
                        .replace("X", algorithm);

        assertThat(between(page.replace("} 7", "} 4"), page).orElseThrow().pools())
                .extracting(
                        ServicePool::pool,
                        ServicePool::library,
                        ServicePool::use,
                        ServicePool::waiting,
                        ServicePool::timeouts)
                .containsExactly(
                        tuple(
                                "admin",
                                "Helidon " + word + " limit",
                                Optional.of(0.75),
                                Optional.of(2.0),
                                Optional.of(3L)));
    }
}
