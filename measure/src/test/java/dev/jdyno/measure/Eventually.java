package dev.jdyno.measure;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/// Waits for an effect of another thread, process or host. Tests do not wait for a fixed time,
/// because durations depend on the load of the machine.
public final class Eventually {
    /// Ends a test that hangs. A working machine never needs that long.
    public static final Duration DEADLINE = Duration.ofMinutes(5);

    private static final long PAUSE_NANOS = 5_000_000;

    private Eventually() {}

    /// Returns as soon as the condition is true.
    ///
    /// @param what name of the condition, for the error message
    public static void until(String what, Callable<Boolean> condition) {
        until(() -> what, condition);
    }

    /// @param what name of the condition and its present state, for the error message
    public static void until(Supplier<String> what, Callable<Boolean> condition) {
        long start = NanoClock.SYSTEM.nanos();
        while (!isTrue(condition)) {
            if (NanoClock.SYSTEM.secondsSince(start) > DEADLINE.toSeconds()) {
                throw new AssertionError("hangs: waits for " + what.get());
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new AssertionError("interrupted while waiting for " + what.get());
            }
            // sleeps: interval between two checks, which use CPU
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private static boolean isTrue(Callable<Boolean> condition) {
        try {
            return condition.call();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError("the condition fails", e);
        }
    }
}
