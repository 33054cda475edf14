package dev.jdyno.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.statistics.Trend;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ServerWindowTest {
    private static ServerWindow window(double seconds, long full, double oldFloor) {
        var gc =
                new GcActivity(
                        GcActivity.Count.NONE,
                        new GcActivity.Count(full, full * 100.0),
                        0.5,
                        Optional.of(1e8),
                        Optional.of(0.0),
                        Optional.empty(),
                        Optional.of(9e7),
                        Optional.of(1e8),
                        Optional.empty(),
                        new GcActivity.Why(
                                Map.of("Ergonomics", full),
                                0,
                                Optional.of(oldFloor),
                                Optional.empty()));
        return new ServerWindow(seconds, Optional.empty(), Optional.empty(), Optional.of(gc));
    }

    @Test
    void windowsListLiveBytesAfterEachFullCollection() {
        var gc =
                ServerWindow.over(
                                List.of(window(1, 2, 5e7), window(1.5, 0, 4e7), window(1, 1, 6e7)))
                        .gc()
                        .orElseThrow();

        assertThat(gc.leftByFull())
                .containsExactly(new Trend.Point(1, 5e7), new Trend.Point(3.5, 6e7));
        assertThat(gc.full().count()).isEqualTo(3);
        assertThat(gc.why().oldFloorBytes()).contains(4e7);
    }

    @Test
    void windowHasNoLiveBytesWithoutFullCollections() {
        var gc = ServerWindow.over(List.of(window(1, 0, 5e7), window(1, 0, 6e7))).gc();

        assertThat(gc.orElseThrow().leftByFull()).isEmpty();
    }
}
