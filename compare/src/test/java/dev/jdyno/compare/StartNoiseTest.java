package dev.jdyno.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class StartNoiseTest {
    private static final StartNoise KNOWN = new StartNoise(8 * 0.0004, 8);

    @Test
    void variancesOfComparisonsArePooledByTheirDegrees() {
        StartNoise noise =
                StartNoise.of(new double[] {0.1, 0.3}).plus(StartNoise.of(new double[] {-1, 0, 1}));
        assertThat(noise.degrees()).isEqualTo(3);
        assertThat(noise.variance()).isCloseTo((0.02 + 2) / 3, within(1e-12));
    }

    @Test
    void singleStartGivesNoNoise() {
        assertThat(StartNoise.of(new double[] {0.1})).isEqualTo(StartNoise.NONE);
        assertThat(StartNoise.NONE.isKnown()).isFalse();
        assertThat(new StartNoise(1, 3).isKnown()).isFalse();
        assertThat(KNOWN.isKnown()).isTrue();
        assertThat(KNOWN.explains(StartNoise.NONE)).isTrue();
    }

    /// F(2, 8) has its 95th percentile at 4.459.
    @Test
    void largerDifferencesOfStartsAreNotNoise() {
        assertThat(KNOWN.explains(new StartNoise(2 * 0.0004 * 4.4, 2))).isTrue();
        assertThat(KNOWN.explains(new StartNoise(2 * 0.0004 * 4.5, 2))).isFalse();
    }
}
