package dev.jdyno.heapmodel.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.text.Bytes;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// For an array almost as large as Eden, collectors and JDK releases behave differently. Counts
/// measured on 17.0.15 and 25.0.3 (docs/heap-model.md): Parallel 17 had 285 young and 0 full
/// collections, Parallel 25 had 0 and 19, Serial had 300 and 0.
class LargeArraysTest {
    private static HeapPrediction run(Collector collector, int jdk) {
        return run(collector, jdk, new Bytes(0));
    }

    private static HeapPrediction run(Collector collector, int jdk, Bytes small) {
        HeapFlags flags =
                HeapFlags.of(collector, Bytes.parse("256m"))
                        .withJdk(jdk)
                        .withNewRatio(12)
                        .withSurvivorRatio(8);
        return HeapSimulator.run(
                flags,
                HeapWorkload.holding(
                                Bytes.parse("15m"),
                                Duration.ofMillis(10),
                                new Arrivals.Closed(1),
                                300)
                        .withSmall(small));
    }

    @Test
    void serialCollectsYoungForEachArray() {
        HeapPrediction p = run(Collector.SERIAL, 25);

        assertThat(p.youngGcs()).isEqualTo(300);
        assertThat(p.fullGcs()).isZero();
    }

    @Test
    void parallel17FillsOldOnceAndThenCollectsYoung() {
        HeapPrediction p = run(Collector.PARALLEL, 17);

        assertThat(p.youngGcs()).isBetween(270, 300);
        assertThat(p.fullGcsFrequent()).isFalse();
    }

    /// Measured with the lab's service: 31 full and no young collections in 487 requests, 61 and 1
    /// in 912.
    @Test
    void parallelCollectorOfJdk17FullCollectsForRetainedArrays() {
        HeapPrediction p = run(Collector.PARALLEL, 17, HeapWorkload.SMALL_BYTES);

        assertThat(p.youngGcs()).isLessThanOrEqualTo(2);
        assertThat(p.fullGcs()).isBetween(17, 21);
        assertThat(p.fullGcsFrequent()).isTrue();
    }

    @Test
    void parallelCollectorOfJdk25FullCollectsIfOldIsFull() {
        HeapPrediction p = run(Collector.PARALLEL, 25);

        assertThat(p.youngGcs()).isZero();
        assertThat(p.fullGcs()).isBetween(17, 21);
        assertThat(p.fullGcsFrequent()).isTrue();
    }

    @Test
    void arrayThatCannotFitIsOutOfMemory() {
        HeapFlags flags = HeapFlags.of(Collector.SERIAL, Bytes.parse("64m"));
        HeapWorkload load =
                HeapWorkload.holding(
                        Bytes.parse("10m"), Duration.ofMillis(100), new Arrivals.Closed(20), 200);

        assertThat(HeapSimulator.run(flags, load).outOfMemory()).isTrue();
    }
}
