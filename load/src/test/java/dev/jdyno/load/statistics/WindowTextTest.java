package dev.jdyno.load.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class WindowTextTest {
    private static LoadWindow window(Histogram latency, long startNanos, long stealTicks) {
        Histogram none = LoopStats.histogram();
        return new LoadWindow(
                startNanos,
                startNanos + 1_000_000_000L,
                startNanos + 900_000_000L,
                latency,
                latency,
                none,
                none,
                none,
                latency.getTotalCount(),
                Map.of("timeout", 2L),
                List.of(),
                Map.of(200, latency.getTotalCount()),
                10,
                20,
                0,
                0,
                3,
                Map.of("a", new LoadWindow.NamedRequests(1, 0, latency)),
                0,
                Detours.NONE,
                new LoadWindow.Connections(4, 0, 100),
                new ClientUse(List.of(ClientUse.Loop.NONE), 0.5, 7, stealTicks, 200, 1),
                Optional.empty(),
                new ReplyWindow(
                        latency,
                        latency,
                        latency,
                        latency,
                        List.of(new Traced(startNanos, 1, startNanos, 2))));
    }

    private static Histogram latencies(long seed, int count) {
        var random = new Random(seed);
        Histogram h = LoopStats.histogram();
        for (int i = 0; i < count; i++) {
            h.recordValue(100_000L + random.nextInt(50_000_000));
        }
        return h;
    }

    @Test
    void readsWrittenWindow() {
        LoadWindow window = window(latencies(1, 5000), 5, 1);

        assertThat(WindowText.parse(WindowText.of(window))).isEqualTo(window);
    }

    /// Each host measured a part of the same arrivals.
    @Test
    void percentilesOfHostsCoverAllArrivals() {
        Histogram all = LoopStats.histogram();
        List<LoadWindow> parts = new ArrayList<>();
        for (int host = 0; host < 3; host++) {
            Histogram own = latencies(host, 1000 * (host + 1));
            all.add(own);
            parts.add(WindowText.parse(WindowText.of(window(own, host * 77_000_000_000L, 1))));
        }

        LoadWindow merged = LoadWindow.ofHosts(parts, 1_000, 1_000_001_000L);

        assertThat(merged.latencyNanos()).isEqualTo(all);
        assertThat(merged.replies().firstByteNanos()).isEqualTo(all);
        assertThat(merged.replies().betweenEventsNanos()).isEqualTo(all);
        assertThat(merged.replies().slowest())
                .extracting(Traced::nanos)
                .containsExactly(154_000_000_000L, 77_000_000_000L, 0L);
        assertThat(merged.requests()).isEqualTo(6000);
        assertThat(merged.seconds()).isEqualTo(1);
        assertThat(merged.inFlight()).isEqualTo(9);
        assertThat(merged.connections().open()).isEqualTo(12);
        assertThat(merged.use().stealTicks()).isEqualTo(3);
        assertThat(merged.use().totalTicks()).isEqualTo(600);
    }

    @Test
    void aHistogramThatWouldTakeMuchMemoryIsRefused() {
        var large = new Histogram(1, Long.MAX_VALUE / 2, 5);
        ByteBuffer bytes = ByteBuffer.allocate(large.getNeededByteBufferCapacity());
        int length = large.encodeIntoCompressedByteBuffer(bytes);
        byte[] encoded = new byte[length];
        bytes.get(0, encoded);
        String text = WindowText.of(window(LoopStats.histogram(), 0, 0));
        String hostile =
                text.replaceFirst(
                        "(\"latencyNanos\":\")[^\"]*",
                        "$1" + Base64.getEncoder().encodeToString(encoded));

        assertThat(hostile).isNotEqualTo(text);
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> WindowText.parse(hostile));
    }

    @Test
    void bytesThatAreNoHistogramAreRefused() {
        String text = WindowText.of(window(LoopStats.histogram(), 0, 0));
        for (String bad : List.of("", "AAAA", "A".repeat(400), "%%")) {
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() ->
                            WindowText.parse(
                                    text.replaceFirst("(\"latencyNanos\":\")[^\"]*", "$1" + bad)));
        }
    }
}
