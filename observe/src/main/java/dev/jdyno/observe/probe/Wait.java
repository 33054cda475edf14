package dev.jdyno.observe.probe;

import dev.jdyno.measure.NanoClock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// Lets time go by, and less of it when a caller wants to stop: whoever presses Ctrl-C in a window
/// of minutes waits a quarter of a second for what there is.
public final class Wait {
    /// From the wish to stop until it is heard, at most.
    static final Duration STEP = Duration.ofMillis(250);

    private Wait() {}

    /// @param untilNanos on the clock; what has passed already is no wait
    /// @param stop the wish
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
