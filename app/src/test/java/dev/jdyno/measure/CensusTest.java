package dev.jdyno.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CensusTest {
    @Test
    void theThroughputMeasuredAroundItReplacesNothingElse() {
        var signals = new Signals(Map.of(Signals.Sign.GC_CORES, 0.5));
        var seen = new Census(8, 0, 10, 1.5, List.of(), List.of(), 2, 3, signals);

        Census measured = seen.withQps(100);

        assertThat(measured)
                .isEqualTo(new Census(8, 100, 10, 1.5, List.of(), List.of(), 2, 3, signals));
    }
}
