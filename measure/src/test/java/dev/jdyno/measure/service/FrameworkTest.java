package dev.jdyno.measure.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrameworkTest {
    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:8080/actuator/prometheus, SPRING_BOOT",
        "http://127.0.0.1:8081/shop/actuator/prometheus, SPRING_BOOT",
        "http://127.0.0.1:8080/q/metrics, QUARKUS",
        "http://127.0.0.1:8080/prometheus, MICRONAUT",
        "http://127.0.0.1:8080/observe/metrics, HELIDON",
        "http://127.0.0.1:8080/metrics,",
        "http://127.0.0.1:8080/manage/prometheus,",
        "http://127.0.0.1:8080,",
        "http://127.0.0.1/a b//prometheus,"
    })
    void isKnownByThePathOfItsMetrics(String address, Framework framework) {
        assertThat(Framework.ofMetrics(address)).isEqualTo(Optional.ofNullable(framework));
    }

    @Test
    void isKnownByItsCode() {
        assertThat(Framework.of("io.helidon."::equals)).contains(Framework.HELIDON);
        assertThat(Framework.of(_ -> false)).isEmpty();
    }

    /// The longest name counts, and a pool of an executor has its own property.
    @Test
    void propertyIsThatOfTheLibraryOrOfThePool() {
        Optional<Framework> spring = Optional.of(Framework.SPRING_BOOT);

        assertThat(PoolProperty.of("Tomcat-JDBC in com.acme.Store.query", spring))
                .contains("spring.datasource.tomcat.max-active");
        assertThat(PoolProperty.of("executor", "applicationTaskExecutor", spring))
                .contains("spring.task.execution.pool.core-size");
        assertThat(PoolProperty.of("executor", "orders", spring)).isEmpty();
        assertThat(PoolProperty.of("HikariCP", Optional.empty())).isEmpty();
    }

    /// The property without a name is that of the default data source.
    @ParameterizedTest
    @CsvSource({
        "default, quarkus.datasource.jdbc.max-size",
        "<default>, quarkus.datasource.jdbc.max-size",
        "Agroal, quarkus.datasource.jdbc.max-size",
        "orders-2, quarkus.datasource.orders-2.jdbc.max-size",
        "a.b=c,"
    })
    void dataSourceOfQuarkusHasItsOwnProperty(String pool, String property) {
        assertThat(PoolProperty.of("Agroal", pool, Optional.of(Framework.QUARKUS)))
                .isEqualTo(Optional.ofNullable(property));
    }

    /// Thread samples name the version and wait for a connection of one route. The metrics count
    /// the connections of all routes.
    @ParameterizedTest
    @CsvSource({
        "Apache-HttpClient, maxConnTotal",
        "Apache-HttpClient-3, defaultMaxConnectionsPerHost",
        "Apache-HttpClient-4, maxConnPerRoute",
        "Apache-HttpClient-5 in com.acme.Shop.price, maxConnPerRoute"
    })
    void settingOfAnHttpClientIsThatOfTheConnectionsThatWereCounted(String library, String name) {
        assertThat(PoolProperty.own(library).orElseThrow().getValue()).isEqualTo(name);
    }
}
