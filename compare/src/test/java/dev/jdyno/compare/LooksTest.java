package dev.jdyno.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LooksTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 20})
    void interimAnalysesSpendAlphaInTotal(int max) {
        var looks = new Looks(0.05, max);
        for (int k = 1; k <= max; k++) {
            assertThat(looks.spent(k)).isGreaterThan(looks.spent(k - 1));
        }

        assertThat(looks.spent(0)).isZero();
        assertThat(looks.spent(max)).isCloseTo(0.05, within(1e-12));
        assertThat(looks.spent(max + 1)).isEqualTo(looks.spent(max));
    }

    /// Five looks: 0.0148, 0.0113, … (Lan & DeMets 1983, Pocock's kind).
    @Test
    void firstOfFiveInterimAnalyses() {
        assertThat(new Looks(0.05, 5).spent(1)).isCloseTo(0.0148, within(0.00005));
        assertThat(new Looks(0.05, 5).spent(2)).isCloseTo(0.0262, within(0.0001));
    }
}
