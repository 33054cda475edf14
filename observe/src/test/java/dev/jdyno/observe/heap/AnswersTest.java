package dev.jdyno.observe.heap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.observe.gc.StallReader;
import dev.jdyno.observe.window.CompilerState;
import dev.jdyno.observe.window.ThreadSampler;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Answers and logs of JVMs, as printed by OpenJDK 17.0 and Temurin 25.0.3.
class AnswersTest {
    @TempDir Path dir;

    @ParameterizedTest
    @CsvSource({
        "' compilation: enabled\n full_count=0',0,0",
        "' compilation: disabled (interpreter mode)\n full_count=0',1,0",
        "'Compilation: disabled (interpreter mode), stopped_count=0',1,",
        "' total_blobs=463, full_count=2\nCompilation: enabled, stopped_count=0',0,2",
    })
    void codeCacheShowsIfJvmCompiles(String answer, double off, Double full) {
        Signals seen = CompilerState.of(answer);

        assertThat(seen.of(Sign.COMPILER_OFF)).contains(off);
        assertThat(seen.of(Sign.CODE_CACHE_FULL).orElse(null)).isEqualTo(full);
    }

    @Test
    void emptyAnswerGivesNoSignal() {
        assertThat(CompilerState.of("Unknown diagnostic command").values()).isEmpty();
    }

    @Test
    void stallsAreReadOnceAsTheLogGrows() throws IOException {
        Path log = dir.resolve("gc.log");
        var stalls = new StallReader(() -> FileChannel.open(log, StandardOpenOption.READ));
        assertThat(stalls.takeSeconds()).isZero();

        Files.writeString(
                log,
                "[2.0s][info][gc] Allocation Stall (worker (7)) 488.5ms\n[2.1s][info][gc] GC(3) Major\n"
                        + "[2.1s][info][gc] Allocation Stall (main) 11.5ms\n[2.2s][info][gc] Alloc");

        assertThat(stalls.takeSeconds()).isCloseTo(0.5, Offset.offset(1e-9));
        assertThat(stalls.takeSeconds()).isZero();

        Files.writeString(log, "ation Stall (main) 100ms\n", StandardOpenOption.APPEND);
        assertThat(stalls.takeSeconds()).isCloseTo(0.1, Offset.offset(1e-9));
    }

    private static LiveObjects counted(int sessions) {
        return LiveObjects.parse(
                """
                 num     #instances         #bytes  class name (module)
                -------------------------------------------------------
                   1:         %d        %d  [B (java.base@25.0.3)
                   2:         %d          %d  com.acme.Session
                   3:           7             168  com.acme.Page
                Total        20        2000
                """
                        .formatted(
                                1000 + sessions,
                                50_000 + sessions * 6000L,
                                sessions,
                                sessions * 24L));
    }

    @Test
    void namesGrowingObjectsByHoldingApplicationClass() {
        Signals grown = counted(300).growthSince(counted(100), 2);

        assertThat(grown.of(Sign.LIVE_GROWTH_BYTES_PER_S)).contains(200 * 6024 / 2.0);
        assertThat(grown.place(Sign.LIVE_GROWTH_BYTES_PER_S)).contains("com.acme.Session");
    }

    /// Sessions that stay in memory, and strings of requests that are released again.
    private static LiveObjects held(int sessions, int strings) {
        return LiveObjects.parse(
                """
                   1:  %d  %d  java.lang.String (java.base@25.0.3)
                   2:  %d  %d  com.acme.Session
                """
                        .formatted(strings, strings * 24L, sessions, sessions * 40L));
    }

    @Test
    void keepsClassWithSteadyGrowth() {
        LiveGrowth counted =
                held(5000, 90_000).steadyGrowthSince(held(2000, 40_000), held(3600, 80_000), 3, 3);
        Signals grown = counted.signals();

        assertThat(counted.steady()).containsExactly("com.acme.Session");
        assertThat(grown.of(Sign.LIVE_STEADY_GROWTH_BYTES_PER_S)).contains(3000 * 40 / 6.0);
        assertThat(grown.place(Sign.LIVE_STEADY_GROWTH_BYTES_PER_S)).contains("com.acme.Session");
    }

    @Test
    void comparesIntervalsByTheirRates() {
        assertThat(
                        held(5000, 0)
                                .steadyGrowthSince(held(2000, 0), held(4000, 0), 6, 3)
                                .signals()
                                .of(Sign.LIVE_STEADY_GROWTH_BYTES_PER_S))
                .contains(3000 * 40 / 9.0);
    }

    @Test
    void singleOrSmallGrowthIsNotSteady() {
        LiveObjects before = held(2000, 40_000);
        for (LiveObjects[] then :
                new LiveObjects[][] {
                    {held(5000, 40_000), held(5100, 40_000)},
                    {held(1500, 40_000), held(5000, 40_000)},
                    {held(2000, 60_000), held(2000, 55_000)},
                    {held(2030, 40_000), held(2060, 40_000)}
                }) {
            assertThat(
                            then[1].steadyGrowthSince(before, then[0], 3, 3)
                                    .signals()
                                    .of(Sign.LIVE_STEADY_GROWTH_BYTES_PER_S))
                    .contains(0.0);
        }
    }

    @Test
    void namesLargestClassAndLargestApplicationClass() {
        Signals most =
                LiveObjects.parse(
                                """
                                 num     #instances         #bytes  class name (module)
                                   1:           600           6000  java.lang.Long (java.base@25.0.3)
                                   2:            70           3000  com.acme.Session
                                   3:             1           1000  com.acme.Table
                                """)
                        .most();

        assertThat(most.of(Sign.LIVE_LARGEST_SHARE)).contains(0.6);
        assertThat(most.place(Sign.LIVE_LARGEST_SHARE)).contains("java.lang.Long");
        assertThat(most.of(Sign.LIVE_OWN_OBJECTS)).contains(70.0);
        assertThat(most.place(Sign.LIVE_OWN_OBJECTS)).contains("com.acme.Session");
        assertThat(LiveObjects.parse("").most()).isEqualTo(Signals.NONE);
    }

    @Test
    void unchangedObjectsAreNoGrowth() {
        Signals same = counted(100).growthSince(counted(100), 2);

        assertThat(same.of(Sign.LIVE_GROWTH_BYTES_PER_S)).contains(0.0);
        assertThat(same.place(Sign.LIVE_GROWTH_BYTES_PER_S)).isEmpty();
    }

    @Test
    void subtractsOwnShareDownToZero() {
        var seen = new Signals(java.util.Map.of(Sign.SAFEPOINT_SHARE, 0.10));

        assertThat(seen.less(Sign.SAFEPOINT_SHARE, 0.04).of(Sign.SAFEPOINT_SHARE).orElseThrow())
                .isCloseTo(0.06, Offset.offset(1e-9));
        assertThat(seen.less(Sign.SAFEPOINT_SHARE, 0.2).of(Sign.SAFEPOINT_SHARE)).contains(0.0);
        assertThat(seen.less(Sign.PSI_IO, 0.2).of(Sign.PSI_IO)).isEmpty();
    }

    @Test
    void takesDumpsLessOftenAfterLongStop() {
        Duration window = Duration.ofSeconds(1);

        assertThat(ThreadSampler.gapNanos(window, 10, 0, 4.9)).isEqualTo(50_000_000);
        assertThat(ThreadSampler.gapNanos(window, 10, 0, 30)).isEqualTo(600_000_000);
    }

    @Test
    void dumpsAreIrregularWithRequestedMeanInterval() {
        double sum = 0;
        for (int i = 0; i < 100; i++) {
            assertThat(ThreadSampler.uneven(i)).isBetween(0.5, 1.5);
            sum += ThreadSampler.uneven(i);
        }
        assertThat(sum / 100).isCloseTo(1, Offset.offset(0.02));
        assertThat(ThreadSampler.uneven(1)).isNotEqualTo(ThreadSampler.uneven(2));
    }
}
