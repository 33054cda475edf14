package dev.jdyno.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.verdict.Bottleneck;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DiagnosedTest {
    @ParameterizedTest
    @EnumSource
    void cpuTimeOfARequestDecidesIfAllCoresAreInUse(Bottleneck bottleneck) {
        var diagnosed = new Diagnosed(bottleneck, "", "", 0.9, 100, 10, 8, 4, List.of());

        assertThat(diagnosed.isLimitedByCpu())
                .isEqualTo(
                        EnumSet.of(
                                        Bottleneck.CPU,
                                        Bottleneck.CPU_QUOTA,
                                        Bottleneck.CPU_NEIGHBOUR,
                                        Bottleneck.JIT)
                                .contains(bottleneck));
    }
}
