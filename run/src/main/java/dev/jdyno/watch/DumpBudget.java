package dev.jdyno.watch;

import dev.jdyno.measure.Saturation;
import dev.jdyno.measure.watch.WatchedMinute;
import java.util.Optional;

/// The number of thread dumps of the next minute. Each dump stops the service for a moment, so a
/// calm service gets few.
final class DumpBudget {
    /// Dumps of a calm minute: with three requests in flight they show nine threads, enough for a
    /// share of them to be known.
    static final int CALM = 3;

    /// Dumps of a minute after one with a saturated CPU or pool, and of the first minute.
    static final int BUSY = 12;

    /// Maximum share of the time for which dumps stop the service.
    static final double MAX_SHARE = 0.01;

    private static final double MINUTE_MS = 60_000;

    /// Minimum use of a pool that is nearly saturated.
    private static final double FULL = 0.9;

    private DumpBudget() {}

    /// @param last the minute before; empty for the first minute
    static int next(Optional<WatchedMinute> last) {
        int wanted = last.filter(m -> !isBusy(m)).isPresent() ? CALM : BUSY;
        double pauseMs = last.map(m -> m.dumps().longestPauseMs()).orElse(0.0);
        double affordable = pauseMs > 0 ? MAX_SHARE * MINUTE_MS / pauseMs : BUSY;
        return (int) Math.clamp(affordable, 1, wanted);
    }

    private static boolean isBusy(WatchedMinute minute) {
        return minute.cpu().filter(c -> c.utilisation() >= Saturation.CPU_SATURATED).isPresent()
                || minute.pools().stream().anyMatch(DumpBudget::isFull);
    }

    private static boolean isFull(WatchedMinute.PoolFigures pool) {
        return pool.use().filter(u -> u >= FULL).isPresent()
                || pool.waiting().filter(w -> w >= 1).isPresent();
    }
}
