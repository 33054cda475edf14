package dev.jdyno.gclog.sums;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.measure.gc.ZgcYoung;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ZgcMeterTest {
    private static final int KEPT = 4096;

    private static GcEvent.Cycle cycle(double atS, Optional<ZgcYoung> young) {
        return new GcEvent.Cycle(
                1,
                OptionalLong.empty(),
                new GcEvent.When(atS, OptionalLong.empty()),
                "minor",
                "Allocation Rate",
                OptionalDouble.of(1),
                Optional.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                young,
                Optional.empty());
    }

    private static Optional<ZgcYoung> young(double atS) {
        return Optional.of(
                new ZgcYoung(
                        "Allocation Rate",
                        false,
                        atS,
                        1e-3,
                        0,
                        0,
                        0,
                        1,
                        1,
                        1,
                        1,
                        1,
                        1,
                        1,
                        1,
                        1,
                        1));
    }

    @Test
    void countsDroppedCycles() {
        var meter = new ZgcMeter();
        for (int i = 0; i < KEPT + 5; i++) {
            meter.take(cycle(i, young(i)));
        }

        assertThat(meter.finish()).hasSize(KEPT);
        assertThat(meter.finish().getLast().startS()).isEqualTo(KEPT - 1);
        assertThat(meter.count()).isEqualTo(KEPT + 5);
    }

    @Test
    void ignoresCycleWithoutTables() {
        var meter = new ZgcMeter();
        meter.take(cycle(1, Optional.empty()));
        meter.take(cycle(2, young(2)));

        assertThat(meter.count()).isOne();
        assertThat(meter.finish()).hasSize(1);
    }
}
