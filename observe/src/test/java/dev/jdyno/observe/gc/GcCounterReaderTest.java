package dev.jdyno.observe.gc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GcCounterReaderTest {
    /// Causes read from Shenandoah and ZGC of JDK 17 and from G1, after their pauses.
    @ParameterizedTest
    @CsvSource({
        "true, Concurrent GC, No GC, Concurrent GC",
        "true, Allocation Failure, No GC, Allocation Failure",
        "true, Allocation Stall, No GC, Allocation Stall",
        "true, No GC, Concurrent GC, Concurrent GC",
        "false, G1 Humongous Allocation, G1 Evacuation Pause, G1 Evacuation Pause",
        "false, No GC, G1 Evacuation Pause, G1 Evacuation Pause"
    })
    void causeOfPauseIsItsCycle(boolean inCycles, String now, String last, String cause) {
        assertThat(GcCounterReader.causeOfStop(inCycles, now, last)).isEqualTo(cause);
    }
}
