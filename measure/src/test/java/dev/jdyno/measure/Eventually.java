package dev.jdyno.measure;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/// Waits for what another thread, process or host brings about. No test waits by the clock: how
/// long something takes depends on who else uses the machine.
public final class Eventually {
    /// Ends a test that hangs. No machine that works is as slow as that.
    public static final Duration DEADLINE = Duration.ofMinutes(5);

    private static final long PAUSE_NANOS = 5_000_000;

    private Eventually() {}

    /// Returns as soon as the condition is true.
    ///
    /// @param what the test waits for, for the message when it hangs
    public static void until(String what, Callable<Boolean> condition) {
        until(() -> what, condition);
    }

    /// @param what the test waits for, with what it has got so far
    public static void until(Supplier<String> what, Callable<Boolean> condition) {
        long start = NanoClock.SYSTEM.nanos();
        while (!isTrue(condition)) {
            if (NanoClock.SYSTEM.secondsSince(start) > DEADLINE.toSeconds()) {
                throw new AssertionError("hangs: waits for " + what.get());
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new AssertionError("interrupted while waiting for " + what.get());
            }
            // sleeps: between two looks, which cost CPU
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
