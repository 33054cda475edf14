package dev.jdyno.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RepeatedTest {
    private static final int TURNS = 3;

    @Test
    void reportsFailedTurnAndContinues() throws InterruptedException {
        var turns = new CountDownLatch(TURNS);
        Queue<Throwable> reported = new ConcurrentLinkedQueue<>();
        try (ScheduledExecutorService on = Executors.newSingleThreadScheduledExecutor()) {
            Repeated.every(
                    on,
                    1,
                    () -> {
                        turns.countDown();
                        throw new OutOfMemoryError("turn " + turns.getCount());
                    },
                    why -> {
                        reported.add(why);
                        throw new OutOfMemoryError("and again");
                    });

            assertThat(turns.await(5, TimeUnit.MINUTES)).isTrue();
            on.shutdownNow();
        }
        assertThat(reported)
                .hasSizeGreaterThanOrEqualTo(TURNS)
                .first()
                .extracting(Throwable::getMessage)
                .isEqualTo("turn " + (TURNS - 1));
    }
}
