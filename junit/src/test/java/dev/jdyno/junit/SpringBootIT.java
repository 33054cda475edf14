package dev.jdyno.junit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// The packed command measures a service in the JVM of its own test, on a random port.
@Tag("full") // a whole measurement of a Spring Boot service
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
class SpringBootIT {
    @LocalServerPort private int port;

    @Test
    @Dyno(plan = "src/test/jdyno/hello.yaml")
    void theServiceOfTheTestIsMeasured(Dynamometer dynamometer) {
        RunResult result = dynamometer.env("PORT", port).run();
        result.assertThat()
                .rateUnder("p99<10s,errors<1%")
                .isAtLeast(1)
                .cpuMsPerRequest()
                .isAtLeast(0.001)
                .allocatedBytesPerRequest()
                .isAtLeast(Hello.BYTES)
                .errorShare()
                .isAtMost(0);
        assertThat(result.report()).isRegularFile();
        assertThat(result.rounds()).extracting(Round::concurrency).containsExactlyInAnyOrder(1, 4);
    }

    /// A page that allocates at least a known number of bytes.
    @SpringBootApplication
    @RestController
    static class Hello {
        static final int BYTES = 20_000;

        @GetMapping("/hello")
        String hello() {
            return "hello ".repeat(BYTES / 6 + 1);
        }
    }
}
