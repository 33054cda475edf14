package dev.jdyno.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.capacity.headroom.LoadWindow;
import dev.jdyno.measure.statistics.Throughput.Source;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoadRingTest {
    private final LoadRing ring = new LoadRing();

    private static List<LoadWindow> windows(int n, double seconds) {
        return Collections.nCopies(n, new LoadWindow(seconds, 10, 0.5, 2));
    }

    private void add(List<LoadWindow> minute) {
        ring.add(Source.METRICS, minute);
    }

    @Test
    void keepsLastHalfHourOfDay() {
        for (int minute = 0; minute < 1440; minute++) {
            add(windows(12, 5));
            assertThat(ring.windows().size()).isEqualTo(Math.min(360, 12 * (minute + 1)));
        }
    }

    @Test
    void longWindowsAreFewer() {
        for (int minute = 0; minute < 100; minute++) {
            add(windows(1, 60));
        }

        assertThat(ring.windows()).hasSize(30);
    }

    @Test
    void newestWindowStaysHoweverLong() {
        add(windows(5, 5));
        add(windows(1, 10_000));

        assertThat(ring.windows()).containsExactlyElementsOf(windows(1, 10_000));
    }

    @Test
    void windowsOfTheSourceOfTheNewestOneAreUsed() {
        add(windows(12, 5));
        ring.add(Source.TOMCAT, windows(3, 20));
        assertThat(ring.windows()).containsExactlyElementsOf(windows(3, 20));

        // a minute without windows is of no source
        ring.add(Source.SEGMENTS, List.of());
        assertThat(ring.windows()).hasSize(3);

        add(windows(1, 5));
        assertThat(ring.windows()).containsExactlyElementsOf(windows(13, 5));
    }

    @Test
    void isEmptyAfterRestart() {
        add(windows(12, 5));
        ring.clear();

        assertThat(ring.windows()).isEmpty();
    }
}
