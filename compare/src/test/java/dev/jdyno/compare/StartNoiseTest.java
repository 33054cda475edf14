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

    /// Case of a textbook: rows differ by 1 and columns by 2. One cell is larger by a further 0.4.
    @Test
    void variantsThatRunAtOnceShowTheNoiseOfTheirRatio() {
        double[][] means = {{0, 2, 4}, {1, 3, 5.4}};
        StartNoise noise = StartNoise.ofAtOnce(means);
        assertThat(noise.degrees()).isEqualTo(2);
        // residuals of a cell d in 2 by 3: its sum of squares is d² (1 - 1/2) (1 - 1/3)
        assertThat(noise.squares()).isCloseTo(2 * 0.16 / 3, within(1e-12));
        StartNoise own = StartNoise.of(new double[] {4, 4.4});
        assertThat(noise.without(own).degrees()).isEqualTo(1);
        assertThat(noise.without(own).squares()).isCloseTo(2 * 0.16 / 3 - 0.08, within(1e-12));
        assertThat(StartNoise.ofAtOnce(new double[][] {{1, 2}})).isEqualTo(StartNoise.NONE);
        assertThat(StartNoise.ofAtOnce(new double[0][])).isEqualTo(StartNoise.NONE);
    }
}
