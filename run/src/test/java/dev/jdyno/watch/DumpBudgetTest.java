package dev.jdyno.watch;

import static dev.jdyno.watch.WatchFixture.minute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.watch.WatchedMinute;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DumpBudgetTest {
    private static int after(WatchedMinute minute) {
        return DumpBudget.next(Optional.of(minute));
    }

    @Test
    void calmServiceGetsFewDumps() {
        assertThat(after(minute(0).made())).isEqualTo(DumpBudget.CALM);
    }

    @Test
    void firstMinuteAndSaturatedServiceGetMore() {
        assertThat(DumpBudget.next(Optional.empty())).isEqualTo(DumpBudget.BUSY);
        assertThat(after(minute(0).using(1.99, 100).made())).isEqualTo(DumpBudget.BUSY);
        assertThat(after(minute(0).pool(9).made())).isEqualTo(DumpBudget.BUSY);
        assertThat(after(minute(0).pool(8.9).made())).isEqualTo(DumpBudget.CALM);
    }

    @Test
    void dumpsStopServiceForAtMostOnePercent() {
        for (double pauseMs : new double[] {0, 1, 49, 50, 100, 199, 250, 600}) {
            int dumps = after(minute(0).pool(10).made(pauseMs, ""));

            assertThat(dumps * pauseMs).isLessThanOrEqualTo(600);
            assertThat(dumps).isBetween(1, DumpBudget.BUSY);
        }
    }

    @Test
    void veryLongPauseLeavesOneDump() {
        assertThat(after(minute(0).made(5000, ""))).isEqualTo(1);
    }
}
