package dev.jdyno.cluster.load;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.jdyno.load.pacing.Arrivals;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.measure.text.UserError;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllowanceTest {
    private static final Allowance NOTHING = new Allowance(List.of(), 1000, 10);
    private static final Allowance SHOP = new Allowance(List.of("Shop:8080"), 1000, 10);
    private static final Allowance PORTS = new Allowance(List.of("127.0.0.1:*"), 1000, 10);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:1/",
                "http://localhost:8080/x",
                "http://[::1]:80/",
                "http://192.0.2.1/"
            })
    void emptyAllowanceLoadsNothing(String url) {
        assertThatExceptionOfType(UserError.class).isThrownBy(() -> NOTHING.check(URI.create(url)));
    }

    @Test
    void portsOfOneHostDoNotAllowAnother() {
        assertThatNoException().isThrownBy(() -> PORTS.check(URI.create("http://127.0.0.1:1/")));
        assertThatNoException().isThrownBy(() -> PORTS.check(URI.create("http://127.0.0.1/")));
        for (String url : List.of("http://localhost:1/", "http://127.0.0.2:1/")) {
            assertThatExceptionOfType(UserError.class)
                    .isThrownBy(() -> PORTS.check(URI.create(url)));
        }
    }

    @Test
    void listAllowsOnlyItsEntries() {
        assertThatNoException().isThrownBy(() -> SHOP.check(URI.create("http://shop:8080/a")));
        for (String url :
                List.of(
                        "http://shop/",
                        "http://shop:8081/",
                        "https://shop/",
                        "http://127.0.0.1/")) {
            assertThatExceptionOfType(UserError.class)
                    .isThrownBy(() -> SHOP.check(URI.create(url)));
        }
    }

    @Test
    void levelsAboveTheLimitsAreRefused() {
        assertThatNoException().isThrownBy(() -> SHOP.check(new Level.Closed(10, Duration.ZERO)));
        assertThatNoException()
                .isThrownBy(() -> SHOP.check(new Level.Open(10, 1000, Arrivals.POISSON)));
        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() -> SHOP.check(new Level.Closed(11, Duration.ZERO)));
        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() -> SHOP.check(new Level.Open(10, 1001, Arrivals.POISSON)));
    }
}
