package dev.jdyno.observe.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.Insight.Allocation;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Allocations in a recording of this JVM.
class FlightAllocationsTest {
    private static final int ARRAYS = 20_000;
    private static final int BYTES = 16_384;

    @TempDir Path dir;

    @Test
    void listsLargestAllocationFirst() throws Exception {
        Path file = dir.resolve("recording.jfr");
        Instant from;
        try (var recording = new Recording()) {
            recording.enable("jdk.ObjectAllocationSample").with("throttle", "1000/s");
            recording.start();
            // the first sample of a thread has the weight of all that it allocated since its start
            assertThat(burn()).isPositive();
            from = Instant.now();
            // long enough for the recording's clock, which is off by some ms in a young JVM
            for (int i = 0; i < 8; i++) {
                assertThat(burn()).isPositive();
            }
            recording.dump(file);
        }

        List<Allocation> found = FlightAllocations.read(file, from, Instant.now(), 8, 100);

        assertThat(found).isNotEmpty();
        assertThat(found.getFirst().type()).isEqualTo("byte[]");
        assertThat(found.getFirst().site()).isEqualTo(getClass().getName() + ".burn");
        assertThat(found.getFirst().share()).isGreaterThan(0.5);
        assertThat(found.getFirst().bytesPerRequest()).isPositive();
        assertThat(found.stream().mapToDouble(Allocation::share).sum())
                .isLessThanOrEqualTo(1 + 1e-9)
                .isCloseTo(1, within(0.5));
    }

    @Test
    void windowWithoutSamplesGivesNoAllocation() throws Exception {
        Path file = dir.resolve("recording.jfr");
        try (var recording = new Recording()) {
            recording.start();
            recording.dump(file);
        }

        assertThat(FlightAllocations.read(file, Instant.EPOCH, Instant.now(), 8, 100)).isEmpty();
    }

    private static long burn() {
        long sum = 0;
        for (int i = 0; i < ARRAYS; i++) {
            byte[] array = new byte[BYTES];
            array[i % BYTES] = 1;
            sum += array[(i + 1) % BYTES] + array.length;
        }
        return sum;
    }

    @ParameterizedTest
    @CsvSource({
        "java.lang.String, java.lang.String",
        "[B, byte[]",
        "[[J, long[][]",
        "[Ljava.lang.String;, java.lang.String[]",
        "[[Lcom.acme.Foo;, com.acme.Foo[][]",
    })
    void arraysAreNamedAsInSource(String jvm, String source) {
        assertThat(FlightAllocations.readable(jvm)).isEqualTo(source);
    }
}
