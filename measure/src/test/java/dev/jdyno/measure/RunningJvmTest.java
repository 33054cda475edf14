package dev.jdyno.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The name of a service is derived from its start command.
class RunningJvmTest {
    @ParameterizedTest
    @CsvSource({
        "/opt/app/shop-1.4.2-SNAPSHOT.jar, shop",
        "shop.jar, shop",
        "price-service.jar, price-service",
        "com.acme.Shop, shop",
        "src/Shop.java, shop",
        "jdk.httpserver/sun.net.httpserver.simpleserver.Main, main",
        "quarkus-run.jar, quarkus-run",
        "../../etc/Pass wd!.jar, pass-wd"
    })
    void theServiceIsNamedByItsJarClassOrModule(String main, String name) {
        assertThat(RunningJvm.serviceName(main, Optional.empty())).contains(name);
    }

    @Test
    void theSpringApplicationsNameComesFirst() {
        assertThat(RunningJvm.serviceName("app.jar", Optional.of("Orders"))).contains("orders");
    }

    @ParameterizedTest
    @CsvSource({"''", "..", "///", "!!.jar"})
    void endedJvmHasNoName(String main) {
        assertThat(RunningJvm.serviceName(main, Optional.empty())).isEmpty();
    }
}
