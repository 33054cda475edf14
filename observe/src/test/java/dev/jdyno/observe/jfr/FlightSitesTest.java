package dev.jdyno.observe.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.Insight.CallRate;
import dev.jdyno.measure.Insight.PoolOrigin;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.stacks.SourceLines;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Call sites of this class in a recording of this JVM.
class FlightSitesTest {
    private static final int TASKS = 6;

    private static final Frames FRAMES = Frames.builtIn();

    @TempDir Path dir;

    private static void await(ExecutorService pool) throws Exception {
        for (int i = 0; i < TASKS; i++) {
            Future<?> task = pool.submit(FlightSitesTest::pause);
            task.get();
        }
    }

    private static void pause() {
        try {
            // sleeps: the wait that the recording shows; its caller must begin to wait in time
            Thread.sleep(500);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void countsTaskWaitsByLineAndFindsStartOfPoolThreads() throws Exception {
        Path file = dir.resolve("recording.jfr");
        Instant from = Instant.now();
        try (var recording = new Recording();
                ExecutorService pool =
                        Executors.newFixedThreadPool(
                                2, Thread.ofPlatform().name("tile-", 1).factory())) {
            recording.enable("jdk.ThreadPark").withThreshold(Duration.ofMillis(1)).withStackTrace();
            recording.enable("jdk.ThreadStart").withStackTrace();
            recording.start();
            await(pool);
            recording.dump(file);
        }
        Instant to = Instant.now();
        double seconds = Duration.between(from, to).toNanos() / 1e9;

        List<CallRate> calls =
                FlightSites.calls(file, from, to, 4, 2 / seconds, FRAMES, new SourceLines());
        List<PoolOrigin> origins = FlightSites.origins(file, FRAMES, new SourceLines());

        assertThat(calls)
                .filteredOn(c -> c.at().method().equals(getClass().getName() + ".await"))
                .singleElement()
                .satisfies(c -> {
                    assertThat(c.cause()).isEqualTo(Cause.FUTURE);
                    assertThat(c.perRequest()).isCloseTo(TASKS / 2.0, within(0.01));
                    assertThat(c.at().line()).isPositive();
                });
        assertThat(origins)
                .filteredOn(o -> o.pool().equals("tile"))
                .singleElement()
                .satisfies(o -> {
                    assertThat(o.at().method()).isEqualTo(getClass().getName() + ".await");
                    assertThat(o.at().samples()).isEqualTo(2);
                });
    }

    @Test
    void givesNothingPerRequestWithoutCounts() throws Exception {
        Path file = dir.resolve("empty.jfr");
        try (var recording = new Recording()) {
            recording.start();
            recording.dump(file);
        }

        assertThat(
                        FlightSites.calls(
                                file,
                                Instant.EPOCH,
                                Instant.now(),
                                4,
                                0,
                                FRAMES,
                                new SourceLines()))
                .isEmpty();
    }
}
