package dev.jdyno.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.capacity.headroom.LoadWindow;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoadRingTest {
    private final LoadRing ring = new LoadRing();

    private static List<LoadWindow> windows(int n, double seconds) {
        return Collections.nCopies(n, new LoadWindow(seconds, 10, 0.5, 2));
    }

    @Test
    void keepsLastHalfHourOfDay() {
        for (int minute = 0; minute < 1440; minute++) {
            ring.add(windows(12, 5));
            assertThat(ring.windows().size()).isEqualTo(Math.min(360, 12 * (minute + 1)));
        }
    }

    @Test
    void longWindowsAreFewer() {
        for (int minute = 0; minute < 100; minute++) {
            ring.add(windows(1, 60));
        }

        assertThat(ring.windows()).hasSize(30);
    }

    @Test
    void newestWindowStaysHoweverLong() {
        ring.add(windows(5, 5));
        ring.add(windows(1, 10_000));

        assertThat(ring.windows()).containsExactlyElementsOf(windows(1, 10_000));
    }

    @Test
    void isEmptyAfterRestart() {
        ring.add(windows(12, 5));
        ring.clear();

        assertThat(ring.windows()).isEmpty();
    }
}
