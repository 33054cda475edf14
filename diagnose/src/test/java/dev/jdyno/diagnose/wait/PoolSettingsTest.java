package dev.jdyno.diagnose.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.service.Framework;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Advice names the property of the framework that runs, and no other framework's.
class PoolSettingsTest {
    @ParameterizedTest
    @CsvSource({
        "HikariCP, SPRING_BOOT, spring.datasource.hikari.maximum-pool-size",
        "HikariCP, MICRONAUT, datasources.default.maximum-pool-size",
        "HikariCP, HELIDON, javax.sql.DataSource.NAME.maximumPoolSize",
        "Agroal, QUARKUS, quarkus.datasource.jdbc.max-size",
        "Tomcat-JDBC, SPRING_BOOT, spring.datasource.tomcat.max-active"
    })
    void namesThePropertyOfItsFramework(String library, Framework framework, String property) {
        assertThat(PoolSettings.setBy(library, Optional.of(framework)).orElseThrow())
                .contains(property);
        Arrays.stream(Framework.values())
                .filter(f -> f != framework)
                .forEach(f ->
                        assertThat(PoolSettings.setBy(library, Optional.of(f)).orElse(""))
                                .doesNotContain(property));
    }

    @Test
    void namesOnlyTheLibraryIfNoFrameworkIsKnown() {
        assertThat(PoolSettings.setBy("HikariCP", Optional.empty()))
                .contains("HikariConfig.setMaximumPoolSize");
        assertThat(PoolSettings.setBy("HikariCP", Optional.of(Framework.QUARKUS)))
                .contains("HikariConfig.setMaximumPoolSize");
        assertThat(PoolSettings.setBy("unknown", Optional.of(Framework.SPRING_BOOT))).isEmpty();
    }
}
