package dev.jdyno.trial.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.capacity.headroom.LoadWindow;
import dev.jdyno.capacity.headroom.NaturalLoad;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.observe.ServerWindow;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlicesTest {
    private static final long MINUTE = 60_000_000_000L;

    private static ServerWindow seen(long nanos) {
        return new ServerWindow(
                nanos / 1e9,
                Optional.of(CpuUse.ofWholeMachine(0.5, 0, 0, 0.2, 2, 50, 0, 0)),
                Optional.empty(),
                Optional.empty());
    }

    /// The windows of a minute whose readings are late.
    ///
    /// @param setupMs time from the begin of the minute to the first reading
    /// @param lateMs maximum delay of a reading
    private static List<LoadWindow> windows(int setupMs, int lateMs, long seed) {
        var random = new Random(seed);
        var natural = new NaturalWindows(false);
        long now = setupMs * 1_000_000L;
        var slices = new Slices(now, MINUTE);
        while (now < MINUTE) {
            long read = slices.end(now) + Math.round(random.nextDouble() * lateMs * 1e6);
            if (natural.add(seen(read - now))) {
                natural.close(Optional.of(100.0));
            }
            now = read;
        }
        return natural.windows(false);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void lateReadingsTakeNoWindowFromAMinute(long seed) {
        assertThat(windows(0, 0, seed)).hasSize(12);
        assertThat(windows(150, 20, seed)).hasSize(12);
        // a slow first reading takes the last window
        assertThat(windows(900, 20, seed)).hasSize(11);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void windowsThatReadingsShortenedALittleAreNotJoined(long seed) {
        List<LoadWindow> windows = windows(100, 50, seed);

        assertThat(windows).anyMatch(w -> w.seconds() < NaturalLoad.WINDOW_S);
        assertThat(windows)
                .allMatch(w -> w.seconds() >= NaturalLoad.MIN_WINDOW_S)
                .allMatch(w -> w.seconds() < NaturalLoad.WINDOW_S + 0.1);
    }

    @Test
    void slicesThatPassedDuringALongWaitAreSkipped() {
        var slices = new Slices(7, MINUTE);

        assertThat(slices.end(7)).isEqualTo(7 + Slices.NANOS);
        assertThat(slices.end(7 + Slices.NANOS)).isEqualTo(7 + 2 * Slices.NANOS);
        assertThat(slices.end(8 + 3 * Slices.NANOS)).isEqualTo(7 + 4 * Slices.NANOS);
        assertThat(slices.end(MINUTE - 1)).isEqualTo(MINUTE);
        assertThat(slices.end(MINUTE + 1)).isEqualTo(MINUTE);
    }
}
