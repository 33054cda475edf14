package dev.jdyno.measure.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The part of a quantity that is proportional to another one, in addition to a constant part and
/// bursts.
class ProportionalPartTest {
    private static final double[] X = {1, 2, 4, 8};

    /// 3 for each unit. The constant part is the same in all points.
    @ParameterizedTest
    @ValueSource(doubles = {0, 5, 50})
    void aConstantPartIsNoPartPerUnit(double constant) {
        double[] y = {3 + constant, 6 + constant, 12 + constant, 24 + constant};

        ProportionalPart part = ProportionalPart.of(X, y, 1.5);

        assertThat(part.slope().orElseThrow()).isCloseTo(3, within(1e-9));
        assertThat(part.leastRatio()).isCloseTo(3 + constant / 8, within(1e-9));
    }

    @Test
    void theSlopeIsAtMostTheLeastRatio() {
        assertThat(ProportionalPart.of(X, new double[] {0.1, 6, 12, 24}, 1.5).slope())
                .hasValue(0.1);
        assertThat(ProportionalPart.of(X, new double[] {24, 12, 6, 3}, 1.5).slope()).hasValue(0);
    }

    @Test
    void pointsWithZeroOrNegativeXAreLeftOut() {
        ProportionalPart part =
                ProportionalPart.of(new double[] {0, 1, 0, 2}, new double[] {0, 3, 9, 6}, 1.5);

        assertThat(part.slope().orElseThrow()).isCloseTo(3, within(1e-9));
        assertThat(part.leastRatio()).isCloseTo(3, within(1e-9));
    }

    @Test
    void pointsWithSimilarXGiveOnlyTheirRatio() {
        ProportionalPart near =
                ProportionalPart.of(new double[] {10, 11}, new double[] {20, 33}, 1.5);
        ProportionalPart none = ProportionalPart.of(new double[] {0}, new double[] {0}, 1.5);

        assertThat(near.slope()).isEmpty();
        assertThat(near.leastRatio()).isEqualTo(2);
        assertThat(none.slope()).isEmpty();
        assertThat(none.leastRatio()).isZero();
    }
}
