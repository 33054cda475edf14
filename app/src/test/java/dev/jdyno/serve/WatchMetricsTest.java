package dev.jdyno.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.watch.WatchedMinute;
import dev.jdyno.watch.WatchFixture;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WatchMetricsTest {
    @Test
    void exposesLastMinute() {
        assertThat(
                        WatchMetrics.of(
                                List.of(
                                        WatchFixture.minute(0)
                                                .named(Bottleneck.CPU)
                                                .headroom(1.25)
                                                .made())))
                .contains(
                        "\njdyno_headroom_ratio{service=\"shop\",kind=\"cpu\",name=\"cpu\"} 1.25\n",
                        "\njdyno_bottleneck{service=\"shop\",name=\"cpu\"} 1.0\n",
                        "\njdyno_cpu_seconds_per_request{service=\"shop\"} 0.015\n",
                        "\njdyno_requests_per_second{service=\"shop\"} 100.0\n",
                        "\njdyno_minute_timestamp_seconds{service=\"shop\"} 1796047200.000\n")
                .endsWith("# EOF\n");
    }

    @Test
    void figuresThatAreUnknownAreLeftOut() {
        WatchedMinute bare =
                new WatchedMinute(
                        WatchFixture.START,
                        60,
                        0,
                        0,
                        "shop\"\\",
                        1,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        0,
                        new WatchedMinute.Dumps(0, 0),
                        new WatchedMinute.Named(Bottleneck.UNKNOWN, "", 0),
                        Optional.empty());

        assertThat(WatchMetrics.of(List.of(bare)).lines().filter(l -> !l.startsWith("#")))
                .hasSize(3)
                .allMatch(l -> l.contains("{service=\"shop\\\"\\\\\""));
    }

    @Test
    void exposesPartsOfResponseTimeAndRoutes() {
        WatchedMinute minute =
                WatchFixture.minute(0)
                        .made()
                        .with(
                                new WatchedMinute.Detail(
                                        Map.of(Cause.CPU, 15.0, Cause.LOCK, 4.0),
                                        1,
                                        List.of(
                                                new WatchedMinute.Route("GET /a/{id}", 75, 25),
                                                new WatchedMinute.Route("other", 25, 5))));

        assertThat(WatchMetrics.of(List.of(minute)))
                .contains(
                        "\njdyno_response_seconds{service=\"shop\"} 0.02\n",
                        "_part_seconds{service=\"shop\",cause=\"cpu\"} 0.015\n",
                        "_part_seconds{service=\"shop\",cause=\"lock\"} 0.004\n",
                        "_part_seconds{service=\"shop\",cause=\"unexplained\"} 0.001\n",
                        "_route_requests_per_second{service=\"shop\",route=\"GET /a/{id}\"} 75.0\n",
                        "_route_response_seconds{service=\"shop\",route=\"GET /a/{id}\"} 0.025\n",
                        "_part_seconds{service=\"shop\",cause=\"gc\"} 0.0\n",
                        "_route_requests_per_second{service=\"shop\",route=\"other\"} 25.0\n");
    }

    @Test
    void hostileNameOfRouteStaysOneLabel() {
        WatchedMinute minute =
                WatchFixture.minute(0)
                        .made()
                        .with(
                                new WatchedMinute.Detail(
                                        Map.of(),
                                        0,
                                        List.of(
                                                new WatchedMinute.Route(
                                                        "\"} 1\n# EOF\r\u001b[2J\\"
                                                                + "a".repeat(1000),
                                                        1,
                                                        Double.NaN))));

        assertThat(WatchMetrics.of(List.of(minute)).lines().filter(l -> l.contains("route=")))
                .singleElement()
                .satisfies(l ->
                        assertThat(l)
                                .startsWith(
                                        "jdyno_route_requests_per_second{service=\"shop\","
                                                + "route=\"\\\"}")
                                .endsWith("\"} 1.0")
                                .doesNotContain("\u001b")
                                .hasSizeLessThan(250));
    }

    @Test
    void noServiceIsValidPage() {
        assertThat(WatchMetrics.of(List.of()).lines()).allMatch(l -> l.startsWith("# "));
    }
}
