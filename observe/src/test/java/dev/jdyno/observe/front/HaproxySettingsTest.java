package dev.jdyno.observe.front;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.jdyno.measure.thread.LayerLimit;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HaproxySettingsTest {
    private static final String CONFIG =
            """
            global
              daemon
              maxconn 4000   # of all frontends together
            defaults
              mode http
              maxconn 900
            frontend web
              bind *:80
              use_backend static if { path_beg /static }
              default_backend app
            frontend other
              maxconn 7
              default_backend static
            backend app
              server a 127.0.0.1:8080 check maxconn 40
              server b 127.0.0.1:8081 maxconn 60
            backend static
              server s 127.0.0.1:9000 maxconn 3
            defaults late
              maxconn 5
            """;

    @Test
    void usesSmallestLimitOnPathAndOfServer() {
        assertThat(HaproxySettings.limits(CONFIG, Set.of(8080)))
                .extracting(LayerLimit::layer, LayerLimit::atOnce, LayerLimit::from)
                .containsExactly(
                        tuple("HAProxy in front", 900.0, "maxconn of frontend web"),
                        tuple(
                                "HAProxy to the service",
                                40.0,
                                "maxconn of the service as a server; more wait in HAProxy"));
    }

    @Test
    void aServiceAtTwoPortsIsTwoServers() {
        assertThat(HaproxySettings.limits(CONFIG, Set.of(8080, 8081)).getLast().atOnce())
                .isEqualTo(100);
    }

    @Test
    void listenSectionIsFrontendAndBackend() {
        assertThat(
                        HaproxySettings.limits(
                                "listen app\n bind :80\n maxconn 50\n server a 10.0.0.1:8080\n",
                                Set.of(8080)))
                .extracting(LayerLimit::layer, LayerLimit::atOnce)
                .containsExactly(tuple("HAProxy in front", 50.0));
    }

    @Test
    void hasNoLimitWithoutSettings() {
        assertThat(
                        HaproxySettings.limits(
                                "frontend f\n default_backend b\nbackend b\n server a h:8080\n",
                                Set.of(8080)))
                .isEmpty();
    }
}
