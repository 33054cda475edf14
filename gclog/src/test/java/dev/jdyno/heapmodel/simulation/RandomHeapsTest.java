package dev.jdyno.heapmodel.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.text.Bytes;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Properties of the simulation for every heap and load.
class RandomHeapsTest {
    private static final long KIB = 1024;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void collectionCountsFollowFromTheAllocatedBytes(long seed) {
        var random = new Random(seed);
        for (Collector collector : Collector.values()) {
            long heap = (32 + random.nextInt(400)) * KIB * KIB;
            long request = (16 + random.nextInt(1000)) * KIB;
            HeapFlags flags =
                    HeapFlags.of(collector, new Bytes(heap))
                            .withJdk(random.nextBoolean() ? 17 : 25);
            HeapWorkload load =
                    new HeapWorkload(
                            new Bytes(request),
                            Optional.of(new Bytes(1 + random.nextInt(8) * KIB)),
                            new Bytes(request * random.nextInt(101) / 100),
                            Duration.ofMillis(random.nextInt(20)),
                            random.nextBoolean(),
                            Duration.ofMillis(random.nextInt(30)),
                            Duration.ofMillis(random.nextInt(3)),
                            1 + random.nextInt(4),
                            random.nextBoolean()
                                    ? new Arrivals.Closed(1 + random.nextInt(12))
                                    : new Arrivals.Open(1 + random.nextInt(300)),
                            2000,
                            new Bytes(random.nextInt(3) * 4L * KIB));

            HeapPrediction p = HeapSimulator.run(flags, load);

            if (!p.outOfMemory()) {
                assertThat(p.requests()).isEqualTo(2000);
            }
            assertThat(p.gcShare()).isBetween(0.0, 1.0);
            assertThat(p.promotedBytes()).isNotNegative();
            if (collector == Collector.SERIAL && !p.outOfMemory()) {
                double allocated = 2000.0 * load.objectsPerRequest() * load.objectHeapBytes();
                assertThat((double) p.youngGcs() + p.fullGcs())
                        .isGreaterThanOrEqualTo(Math.floor(allocated / p.layout().edenBytes()) - 1);
            }
            assertThat(HeapSimulator.run(flags, load)).as("the same again").isEqualTo(p);
        }
    }
}
