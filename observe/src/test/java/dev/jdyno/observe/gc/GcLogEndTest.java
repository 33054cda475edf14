package dev.jdyno.observe.gc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.gc.HeapFill;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class GcLogEndTest {
    private static final long M = 1 << 20;

    /// Log of Temurin 25.0.3 with `-Xmx48m -XX:+UseParallelGC`, for a service that keeps a part of
    /// each request.
    private static final String FULL =
            """
            [9.109s][info][gc             ] GC(94) Pause Full (Allocation Failure) 39M->39M(44M) 81.136ms
            [9.111s][info][gc,start       ] GC(95) Pause Full (Allocation Failure)
            [9.141s][info][gc             ] GC(95) Pause Full (Allocation Failure) 39M->39M(44M) 29.198ms
            """;

    @Test
    void readsOccupancyFromLastFullCollections() {
        HeapFill fill = GcLogEnd.of(FULL).orElseThrow();

        assertThat(fill).isEqualTo(new HeapFill(HeapFill.Part.HEAP, 39 * M, 44 * M, 2, 0, true));
        assertThat(fill.isFull()).isTrue();
    }

    @Test
    void aFullCollectionThatFreesMuchIsNoFullHeap() {
        assertThat(GcLogEnd.of("Pause Full (System.gc()) 39M->9M(44M) 8.1ms\n").orElseThrow())
                .matches(f -> !f.isFull());
        assertThat(GcLogEnd.of("Pause Full (System.gc()) 43M->36M(44M) 8.1ms\n").orElseThrow())
                .matches(f -> !f.isFull());
    }

    @Test
    void reportsNothingWithoutFullCollection() {
        assertThat(GcLogEnd.of("GC(3) Pause Young (Normal) 20M->8M(44M) 2.1ms\n")).isEmpty();
        assertThat(GcLogEnd.read(Path.of("/no/such/gc.log"))).isEmpty();
    }
}
