package dev.jdyno.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.watch.WatchedMinute;
import dev.jdyno.watch.WatchFixture;
import java.util.List;
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
    void noServiceIsValidPage() {
        assertThat(WatchMetrics.of(List.of()).lines()).allMatch(l -> l.startsWith("# "));
    }
}
