package dev.jdyno.heapmodel.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// The threshold formula (F11) with the figures of experiment E21: 276 MB of age 1, with a desired
/// survivor size of 143 MB.
class AgeTableTest {
    private static final long MB = 1_000_000;

    @Test
    void firstAgeAboveTheDesiredSizeIsTheThreshold() {
        var ages = new AgeTable();
        ages.add(1, 276 * MB);

        assertThat(ages.threshold(143 * MB, 15)).isEqualTo(1);
    }

    @Test
    void thresholdIsTheAgeWhoseSumExceedsTheDesiredSize() {
        var ages = new AgeTable();
        ages.add(1, 60 * MB);
        ages.add(2, 60 * MB);
        ages.add(3, 60 * MB);

        assertThat(ages.threshold(143 * MB, 15)).isEqualTo(3);
    }

    @Test
    void fewSurvivorsHaveTheMaximumThreshold() {
        var ages = new AgeTable();
        ages.add(1, 60 * MB);

        assertThat(ages.threshold(143 * MB, 15)).isEqualTo(15);
        assertThat(ages.threshold(143 * MB, 4)).isEqualTo(4);
    }

    /// HotSpot tests `total > desired`, so exactly the desired size is no overflow.
    @Test
    void desiredSizeIsNoOverflow() {
        var ages = new AgeTable();
        ages.add(1, 143 * MB);

        assertThat(ages.threshold(143 * MB, 15)).isEqualTo(15);
    }
}
