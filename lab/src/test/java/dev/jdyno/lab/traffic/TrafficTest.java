package dev.jdyno.lab.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.lab.service.ProcessOf;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class TrafficTest {
    private static ProcessOf traffic;

    @BeforeAll
    static void start() throws IOException {
        traffic = ProcessOf.startedWith(List.of("-Xmx64m"), Traffic.class);
    }

    @AfterAll
    static void stop() {
        traffic.close();
    }

    @Test
    void pageHasTheRequestedNumberOfBytes() {
        assertThat(traffic.get("/page?bytes=3k").body()).hasSize(3072);
    }

    @Test
    void acceptsOperationBeforeCompletion() {
        assertThat(traffic.get("/effect?id=900").body()).contains("unknown");

        ProcessOf.Answer accepted = traffic.get("/job?ms=60000");

        assertThat(accepted.body()).isEqualTo("{\"id\": 1}\n");
        assertThat(traffic.get("/effect?id=1").body()).isEqualTo("{\"state\": \"open\"}\n");
    }
}
