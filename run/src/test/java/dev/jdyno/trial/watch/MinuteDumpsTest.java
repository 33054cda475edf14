package dev.jdyno.trial.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.SampledThreads;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.ThreadPlaces;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class MinuteDumpsTest {
    private final CountDownLatch answer = new CountDownLatch(1);
    private final AtomicInteger windows = new AtomicInteger();

    /// The JVM does not answer in the first window until {@link #answer} is open. The number of
    /// dumps is the number of the window.
    private final MinuteDumps dumps =
            new MinuteDumps(
                    (_, _) -> {
                        int window = windows.incrementAndGet();
                        if (window == 1) {
                            answer.await();
                        }
                        return samples(window);
                    },
                    () -> true,
                    () -> 0);

    private static SampledThreads samples(int dumps) {
        return new SampledThreads(
                dumps,
                1,
                new ThreadPlaces(List.of(), List.of(), List.of()),
                0,
                0,
                Signals.NONE,
                List.of(),
                List.of());
    }

    private void begin() {
        dumps.begin(0, 3, 100);
    }

    /// The dumps of the first minute hang until the second one.
    @Test
    void dumpsOfAnEarlierMinuteAreDropped() throws Exception {
        begin();
        begin();
        answer.countDown();

        assertThat(dumps.end()).isEmpty();

        Optional<SampledThreads> later;
        do {
            // the first window may need some time to end; until then no minute has dumps
            begin();
            later = dumps.end();
        } while (later.isEmpty());
        assertThat(later.orElseThrow().dumps()).isGreaterThan(1);
    }

    /// The earlier window ends between two minutes, and the next one wants no dumps.
    @Test
    void minuteWithoutDumpsHasNone() throws Exception {
        answer.countDown();
        begin();

        dumps.begin(0, 0, 100);
        Optional<SampledThreads> none = dumps.end();

        assertThat(none).isEmpty();
    }
}
