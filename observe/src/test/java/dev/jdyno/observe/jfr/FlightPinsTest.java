package dev.jdyno.observe.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.Insight.Pinned;
import dev.jdyno.measure.Insight.Pinned.By;
import dev.jdyno.observe.jfr.FlightPins.Frame;
import dev.jdyno.observe.stacks.Frames;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pinned virtual threads in a recording of this JVM (JDK 25), and stacks recorded on JDK 21.
class FlightPinsTest {
    private static final long MILLIS = 2000;

    private static final Frames FRAMES = Frames.builtIn();

    @TempDir Path dir;

    /// One thread initialises this class while another thread waits for it.
    private static final class Slow {
        static final CountDownLatch BEGUN = Begun.LATCH;
        static final long MADE = make();

        private static long make() {
            BEGUN.countDown();
            pause();
            return System.nanoTime();
        }
    }

    private static final class Begun {
        static final CountDownLatch LATCH = new CountDownLatch(1);
    }

    private static void pause() {
        try {
            // sleeps: the wait that the recording shows
            Thread.sleep(MILLIS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void namesInitialiserOfClassAndItsWaiters() throws Exception {
        Path file = dir.resolve("recording.jfr");
        var made = new ConcurrentLinkedQueue<Long>();
        Instant from = Instant.now();
        try (var recording = new Recording()) {
            recording.enable("jdk.VirtualThreadPinned").withStackTrace();
            recording.start();
            // an assertion in this place may load its classes, which pins, too
            Thread first = Thread.startVirtualThread(() -> made.add(Slow.MADE));
            Begun.LATCH.await();
            Thread second = Thread.startVirtualThread(() -> made.add(Slow.MADE));
            first.join();
            second.join();
            recording.dump(file);
        }
        Instant to = Instant.now();
        double seconds = java.time.Duration.between(from, to).toNanos() / 1e9;

        // the JVM pins for some microseconds from time to time, for example while it links a method
        List<Pinned> pinned =
                FlightPins.read(file, from, to, 8, 10, FRAMES).stream()
                        .filter(p -> p.threads() * seconds > 0.05 * MILLIS / 1e3)
                        .toList();

        assertThat(made).hasSize(2);
        assertThat(pinned).hasSize(2).allMatch(p -> p.by() == By.CLASS_INITIALISER);
        assertThat(pinned)
                .anySatisfy(p -> {
                    assertThat(p.site()).contains("FlightPinsTest.pause");
                    assertThat(p.reason()).contains("Slow.<clinit>");
                    assertThat(p.count()).isEqualTo(1);
                    assertThat(p.threads() * seconds).isBetween(0.9 * MILLIS / 1e3, seconds);
                    assertThat(p.perRequestMs()).isCloseTo(p.threads() * 100, within(1e-6));
                })
                .anySatisfy(p -> assertThat(p.reason()).contains("Waited for initialization"));
        assertThat(FlightPins.read(file, to, to.plusSeconds(1), 8, 10, FRAMES)).isEmpty();
    }

    private static Frame java(String name) {
        return new Frame(name, false);
    }

    private static Frame inC(String name) {
        return new Frame(name, true);
    }

    private static final List<Frame> SLEEPS =
            List.of(
                    inC("java.lang.VirtualThread.postPinnedEvent"),
                    java("java.lang.VirtualThread.parkOnCarrierThread"),
                    java("java.lang.Thread.sleep"));

    private static final List<Frame> ENDS =
            List.of(
                    java("java.lang.VirtualThread.run"),
                    java("jdk.internal.vm.Continuation.enter"),
                    inC("jdk.internal.vm.Continuation.enterSpecial"));

    private static List<Frame> stack(Frame... work) {
        return java.util.stream.Stream.of(SLEEPS, List.of(work), ENDS)
                .flatMap(List::stream)
                .toList();
    }

    @Test
    void stackWithoutNativeFrameOnJdk21IsAMonitor() {
        assertThat(FlightPins.seen(stack(java("com.acme.Session.refresh")), true).by())
                .isEqualTo(By.MONITOR);
    }

    @Test
    void truncatedStackOnJdk21MayHideNativeFrame() {
        assertThat(FlightPins.seen(SLEEPS, false).by()).isEqualTo(By.UNKNOWN);
    }

    @Test
    void stackOnJdk21HasNativeFramesAndClassInitialisers() {
        var accessor =
                inC("jdk.internal.reflect.DirectMethodHandleAccessor$NativeAccessor.invoke0");
        var called = FlightPins.seen(stack(java("com.acme.Session.refresh"), accessor), true);
        var made = FlightPins.seen(stack(java("com.acme.Session.<clinit>")), true);

        assertThat(called.by()).isEqualTo(By.NATIVE_FRAME);
        assertThat(called.reason()).endsWith("NativeAccessor.invoke0");
        assertThat(made.by()).isEqualTo(By.CLASS_INITIALISER);
        assertThat(made.reason()).contains("com.acme.Session.<clinit>");
    }

    @Test
    void keepsNativeMethodNameOfJdk24Event() {
        var why =
                FlightPins.reported(
                        "Native or VM frame on stack",
                        stack(java("com.acme.Session.refresh"), inC("com.acme.Lib.call")));

        assertThat(why.by()).isEqualTo(By.NATIVE_FRAME);
        assertThat(why.reason()).isEqualTo("Native or VM frame on stack: com.acme.Lib.call");
    }
}
