package dev.jdyno.cluster;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Repeats a task even if one execution fails. A {@link ScheduledExecutorService} stops a task that
/// has thrown once, so heartbeats and the dead man's switch would end without a message.
public final class Repeated {
    private Repeated() {}

    /// @param failed receives what an execution has thrown; an exception of this receiver is
    ///   dropped, because memory may be short, and the next execution reports again
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
            // the next execution fails in the same way
        }
    }
}
