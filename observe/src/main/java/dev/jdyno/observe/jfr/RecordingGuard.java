package dev.jdyno.observe.jfr;

import dev.jdyno.observe.host.Headroom;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Checks each second whether a recorded target still has what a recording needs. It uses a
/// separate thread, because the measuring thread may be busy for many seconds with dumps or a
/// profile, which need file descriptors themselves.
final class RecordingGuard implements AutoCloseable {
    /// Ends the recording. It must not wait for a thread that waits for the guard.
    @FunctionalInterface
    interface Danger {
        void seen(String why) throws InterruptedException;
    }

    private final Headroom headroom;
    private final Danger danger;
    private final CountDownLatch closed = new CountDownLatch(1);

    private RecordingGuard(Headroom headroom, Danger danger) {
        this.headroom = headroom;
        this.danger = danger;
    }

    /// Begins to check, until the first danger or {@link #close()}.
    static RecordingGuard over(Headroom headroom, Danger danger) {
        var guard = new RecordingGuard(headroom, danger);
        Thread.ofPlatform().daemon().name("jdyno-recording-guard").start(guard::look);
        return guard;
    }

    private void look() {
        try {
            Optional<String> why = Optional.empty();
            while (why.isEmpty()) {
                if (closed.await(1, TimeUnit.SECONDS)) {
                    return;
                }
                why = headroom.shortOf();
            }
            danger.seen(why.get());
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /// Ends the guard without waiting for its thread.
    @Override
    public void close() {
        closed.countDown();
    }
}
