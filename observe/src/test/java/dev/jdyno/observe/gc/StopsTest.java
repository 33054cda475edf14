package dev.jdyno.observe.gc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.thread.ThreadCounts;
import dev.jdyno.measure.thread.ThreadCounts.Stops;
import dev.jdyno.observe.ServerWindow;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StopsTest {
    private static final long MS = 1_000_000;

    private static GcCounters look(long youngMs, long safepoints, long stoppedMs, long syncMs) {
        return new GcCounters(
                false,
                1,
                youngMs * MS,
                0,
                0,
                0,
                0,
                0,
                0,
                true,
                0,
                0,
                false,
                safepoints,
                stoppedMs * MS,
                syncMs * MS,
                "",
                0,
                0,
                0);
    }

    @Test
    void otherStopsExcludeGcPausesButIncludeTimeToSafepoint() {
        Stops stops = look(110, 8, 450, 930).stopsSince(look(10, 2, 50, 30), 2);

        assertThat(stops).isEqualTo(new Stops(0.15, 0.45, 3));
    }

    @Test
    void laggingCounterGivesNoNegativeTime() {
        assertThat(look(110, 2, 50, 30).stopsSince(look(10, 2, 50, 30), 2).share()).isZero();
    }

    private static ServerWindow window(double seconds, Optional<Stops> stops) {
        return new ServerWindow(
                seconds,
                Optional.empty(),
                Optional.of(new ThreadCounts(9, Optional.empty(), 0, stops)),
                Optional.empty());
    }

    @Test
    void weightsWindowsByTimeAndSkipsEmptyWindows() {
        var all =
                ServerWindow.over(
                        List.of(
                                window(1, Optional.of(new Stops(0.4, 0.1, 2))),
                                window(3, Optional.of(new Stops(0.0, 0.1, 6))),
                                window(4, Optional.empty())));

        Stops stops = all.threads().orElseThrow().stops().orElseThrow();
        assertThat(stops.share()).isCloseTo(0.1, within(1e-9));
        assertThat(stops.syncShare()).isCloseTo(0.1, within(1e-9));
        assertThat(stops.perS()).isCloseTo(5, within(1e-9));
    }

    @Test
    void stopsAreEmptyWithoutObservation() {
        var all = ServerWindow.over(List.of(window(1, Optional.empty())));

        assertThat(all.threads().orElseThrow().stops()).isEmpty();
    }
}
