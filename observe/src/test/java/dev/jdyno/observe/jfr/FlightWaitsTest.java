package dev.jdyno.observe.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Eventually;
import dev.jdyno.measure.Insight.Wait;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.observe.stacks.Frames;
import java.io.FileOutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Waits in a recording of this JVM.
class FlightWaitsTest {
    private static final Duration HELD = Duration.ofMillis(60);

    @TempDir Path dir;

    @Test
    void countsParksOfWaitersWithoutIdleThreads() throws Exception {
        Path file = dir.resolve("recording.jfr");
        Instant from = Instant.now();
        try (var idle = Executors.newFixedThreadPool(1);
                var recording = new Recording()) {
            recording.enable("jdk.ThreadPark").withThreshold(Duration.ofMillis(1));
            recording.start();
            idle.submit(() -> {}).get();
            waitForALock();
            waitForASemaphore();
            idle.submit(() -> {}).get();
            recording.dump(file);
        }

        List<Wait> waits = FlightWaits.read(file, from, Instant.now(), 4, 100, Frames.builtIn());

        assertThat(waits)
                .anySatisfy(w -> {
                    assertThat(w.cause()).isEqualTo(Cause.LOCK);
                    assertThat(w.where())
                            .startsWith("java.util.concurrent.locks.ReentrantLock in ")
                            .contains(FlightWaitsTest.class.getName());
                    assertThat(w.count()).isPositive();
                    assertThat(w.perRequestMs()).isPositive();
                })
                .anySatisfy(w -> assertThat(w.where()).contains("Semaphore"))
                .noneMatch(w -> w.where().contains("ThreadPoolExecutor"))
                .noneMatch(w -> w.where().contains("getTask"));
    }

    private static void waitForALock() throws InterruptedException {
        var lock = new ReentrantLock();
        Thread waiter =
                new Thread(() -> {
                    lock.lock();
                    try {
                        assertThat(lock.isHeldByCurrentThread()).isTrue();
                    } finally {
                        lock.unlock();
                    }
                });
        lock.lock();
        try {
            waiter.start();
            Eventually.until("a waiter", () -> lock.hasQueuedThread(waiter));
            // sleeps: the wait that the recording shows
            Thread.sleep(HELD);
        } finally {
            lock.unlock();
        }
        waiter.join();
    }

    private static void waitForASemaphore() throws InterruptedException {
        var permits = new Semaphore(0);
        Thread waiter = new Thread(permits::acquireUninterruptibly);
        waiter.start();
        Eventually.until("a waiter", permits::hasQueuedThreads);
        // sleeps: the wait that the recording shows
        Thread.sleep(HELD);
        permits.release();
        waiter.join();
    }

    @Test
    void placesHaveWaitTimesAndSleepsAreNamed() throws Exception {
        Path file = dir.resolve("sleeps.jfr");
        Instant from = Instant.now();
        try (var recording = new Recording()) {
            recording.enable("jdk.ThreadSleep").withStackTrace();
            recording.start();
            var sleeper = new Thread(FlightWaitsTest::sleepThreeTimes);
            sleeper.start();
            sleeper.join();
            recording.dump(file);
        }

        List<Wait> waits = FlightWaits.read(file, from, Instant.now(), 4, 100, Frames.builtIn());

        assertThat(waits)
                .as("%s", waits)
                .filteredOn(w -> w.where().contains("sleepThreeTimes"))
                .singleElement()
                .satisfies(w -> {
                    assertThat(w.cause()).isEqualTo(Cause.SLEEP);
                    assertThat(w.where()).startsWith("sleep");
                    assertThat(w.count()).isEqualTo(3);
                    assertThat(w.length().orElseThrow().meanMs())
                            .isGreaterThanOrEqualTo((double) HELD.toMillis());
                    // √n · mean is the largest of n values: one of them is long, if the machine
                    // stops, and the others are short
                    assertThat(w.length().orElseThrow().stdDevMs())
                            .isBetween(0.0, Math.sqrt(3) * w.length().orElseThrow().meanMs());
                });
    }

    private static void sleepThreeTimes() {
        try {
            for (int i = 0; i < 3; i++) {
                // sleeps: the wait that the recording shows
                Thread.sleep(HELD);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Six clients, each at its own port, that read no answer until the test lets them.
    @Test
    void manyPortsOfOneHostAreOneLine() throws Exception {
        Path file = dir.resolve("written.jfr");
        Instant from = Instant.now();
        try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                var recording = new Recording()) {
            recording.enable("jdk.SocketWrite").withoutThreshold();
            recording.start();
            for (int i = 0; i < 6; i++) {
                try (var client = new Socket(server.getInetAddress(), server.getLocalPort());
                        var accepted = server.accept()) {
                    accepted.getOutputStream().write(1);
                    assertThat(client.getInputStream().read()).isEqualTo(1);
                }
            }
            recording.dump(file);
        }

        List<Wait> waits = FlightWaits.read(file, from, Instant.now(), 4, 100, Frames.builtIn());

        assertThat(waits)
                .filteredOn(w -> w.cause() == Cause.NETWORK)
                .singleElement()
                .satisfies(w -> {
                    assertThat(w.where()).isEqualTo("127.0.0.1, 6 ports");
                    assertThat(w.count()).isEqualTo(6);
                });
    }

    @Test
    void manyFilesOfOneFolderAreOneLine() throws Exception {
        Path file = dir.resolve("files.jfr");
        Instant from = Instant.now();
        try (var recording = new Recording()) {
            recording.enable("jdk.FileWrite").withoutThreshold();
            recording.start();
            for (int i = 0; i < 6; i++) {
                try (var out = new FileOutputStream(dir.resolve("reading" + i).toFile())) {
                    out.write(1);
                }
            }
            recording.dump(file);
        }

        List<Wait> waits = FlightWaits.read(file, from, Instant.now(), 4, 100, Frames.builtIn());

        assertThat(waits)
                .filteredOn(w -> w.where().startsWith(dir.toString()))
                .singleElement()
                .satisfies(w -> assertThat(w.where()).isEqualTo(dir + ", 6 files"));
    }
}
