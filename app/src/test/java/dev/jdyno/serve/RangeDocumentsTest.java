package dev.jdyno.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.Eventually;
import dev.jdyno.measure.watch.SkippedLines;
import io.javalin.http.ServiceUnavailableResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RangeDocumentsTest {
    private static final Instant FROM = Instant.parse("2026-11-30T14:00:00Z");

    private final RangeDocuments ranges = new RangeDocuments();
    private final AtomicInteger made = new AtomicInteger();

    private static RangeDocuments.Key key(int minutes) {
        return new RangeDocuments.Key(
                "shop", FROM, FROM.plusSeconds(300), minutes, SkippedLines.NONE);
    }

    private String counted(int minutes) {
        return ranges.of(key(minutes), () -> "document " + made.incrementAndGet());
    }

    @Test
    void lastDocumentsAreKept() {
        assertThat(counted(0)).isEqualTo(counted(0));
        assertThat(made).hasValue(1);

        // the day file has grown
        assertThat(counted(1)).isEqualTo("document 2");

        for (int i = 2; i <= RangeDocuments.MAX_KEPT; i++) {
            counted(i);
        }
        assertThat(counted(1)).isEqualTo("document 2");
        assertThat(counted(0)).isEqualTo("document " + (RangeDocuments.MAX_KEPT + 2));
    }

    @Test
    void failureIsNotKept() {
        assertThatThrownBy(() ->
                        ranges.of(
                                key(0),
                                () -> {
                                    throw new IllegalStateException();
                                }))
                .isInstanceOf(IllegalStateException.class);

        for (int i = 0; i <= RangeDocuments.MAX_TURNS; i++) {
            assertThat(counted(0)).isEqualTo("document 1");
        }
    }

    @Test
    void oneIsMadeAtATimeFewWaitAndOthersAreRefused() throws Exception {
        var atOnce = new AtomicInteger();
        var most = new AtomicInteger();
        var go = new CountDownLatch(1);
        List<Thread> asking = new ArrayList<>();
        for (int i = 0; i < RangeDocuments.MAX_TURNS; i++) {
            RangeDocuments.Key key = key(i);
            asking.add(
                    Thread.ofPlatform()
                            .daemon()
                            .start(() ->
                                    ranges.of(
                                            key,
                                            () -> {
                                                most.accumulateAndGet(
                                                        atOnce.incrementAndGet(), Math::max);
                                                await(go);
                                                atOnce.decrementAndGet();
                                                return "made";
                                            })));
        }

        Eventually.until(
                "one is made and the others wait",
                () ->
                        most.get() == 1
                                && asking.stream()
                                                .filter(t -> t.getState() == Thread.State.BLOCKED)
                                                .count()
                                        == RangeDocuments.MAX_TURNS - 1);
        assertThatThrownBy(() -> counted(9)).isInstanceOf(ServiceUnavailableResponse.class);
        go.countDown();
        for (Thread thread : asking) {
            thread.join();
        }

        assertThat(most).hasValue(1);
        assertThat(counted(0)).isEqualTo("made");
        assertThat(counted(9)).isEqualTo("document 1");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }
}
