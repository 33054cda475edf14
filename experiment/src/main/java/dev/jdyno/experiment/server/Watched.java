package dev.jdyno.experiment.server;

import dev.jdyno.measure.NanoClock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// Ends a process once the run is stopped, or after a time limit. A reader of its output then
/// reaches the end of the stream.
public final class Watched implements AutoCloseable {
    private static final int CHECK_INTERVAL_MILLIS = 50;

    private final Process process;
    private final Thread thread;

    public Watched(Process process, BooleanSupplier stop, Duration max) {
        this.process = process;
        long start = NanoClock.SYSTEM.nanos();
        thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("lab-watch")
                        .start(() -> watch(process, stop, start, max));
    }

    private static void watch(Process process, BooleanSupplier stop, long start, Duration max) {
        try {
            while (!process.waitFor(CHECK_INTERVAL_MILLIS, TimeUnit.MILLISECONDS)) {
                if (stop.getAsBoolean() || NanoClock.SYSTEM.nanos() - start > max.toNanos()) {
                    process.destroyForcibly();
                }
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /// Ends the process, which is no longer needed.
    @Override
    public void close() {
        thread.interrupt();
        process.destroyForcibly().onExit().join();
    }
}
