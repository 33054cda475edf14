package dev.jdyno.measure.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class IntervalTest {
    /// Wilson's interval of 1927, as `prop.test(10, 12, correct = FALSE)` of R gives it.
    @Test
    void theIntervalOfAShareIsWilsons() {
        Interval ci = Interval.ofShare(10 / 12.0, 12);

        assertThat(ci.lo()).isCloseTo(0.5520, within(5e-4));
        assertThat(ci.hi()).isCloseTo(0.9530, within(5e-4));
    }

    @Test
    void intervalWithoutTrialsIsWhole() {
        assertThat(Interval.ofShare(0, 0)).isEqualTo(new Interval(0, 1));
    }
}
