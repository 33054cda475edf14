package dev.jdyno.cluster;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// A task that is done again and again although a turn of it fails. A {@link
/// ScheduledExecutorService} never again runs a task that has thrown once: heartbeats and the dead
/// man's switch would end without a word.
public final class Repeated {
    private Repeated() {}

    /// @param failed hears what a turn has thrown; what it throws itself is dropped, since no
    ///   memory may be left for it, and the next turn reports again
    public static void every(
            ScheduledExecutorService on, long periodMs, Runnable task, Consumer<Throwable> failed) {
        var _ =
                on.scheduleAtFixedRate(
                        () -> turn(task, failed), periodMs, periodMs, TimeUnit.MILLISECONDS);
    }

    private static void turn(Runnable task, Consumer<Throwable> failed) {
        try {
            task.run();
        } catch (Throwable failure) {
            report(failure, failed);
        }
    }

    private static void report(Throwable failure, Consumer<Throwable> failed) {
        try {
            failed.accept(failure);
        } catch (Throwable again) {
            // the next turn fails as this one did
        }
    }
}
