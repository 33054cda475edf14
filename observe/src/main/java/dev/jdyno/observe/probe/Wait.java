package dev.jdyno.observe.probe;

import dev.jdyno.measure.NanoClock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// Waits, and ends the wait early when a caller wants to stop. After Ctrl-C in a window of minutes,
/// the user gets the data so far within a quarter of a second.
public final class Wait {
    /// Maximum time until a request to stop is noticed.
    static final Duration STEP = Duration.ofMillis(250);

    private Wait() {}

    /// @param untilNanos time on the clock; a time in the past needs no wait
    /// @param stop true ends the wait
    public static void until(NanoClock clock, long untilNanos, BooleanSupplier stop)
            throws InterruptedException {
        long left = untilNanos - clock.nanos();
        while (left > 0 && !stop.getAsBoolean()) {
            TimeUnit.NANOSECONDS.sleep(Math.min(left, STEP.toNanos()));
            left = untilNanos - clock.nanos();
        }
    }

    public static void during(NanoClock clock, Duration length, BooleanSupplier stop)
            throws InterruptedException {
        until(clock, clock.nanos() + length.toNanos(), stop);
    }
}
