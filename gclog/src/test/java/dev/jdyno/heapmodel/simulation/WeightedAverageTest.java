package dev.jdyno.heapmodel.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import org.junit.jupiter.api.Test;

class WeightedAverageTest {
    /// The first two costs of minor collections in a log of JDK 17 with gc+ergo=trace: 0.008872 and
    /// 0.033499 give 0.021186.
    @Test
    void firstSamplesWeighOneAndAHalf() {
        var cost = WeightedAverage.of(25, 0);
        cost.sample(0.008872);
        assertThat(cost.average()).isEqualTo(0.008872);

        cost.sample(0.033499);
        assertThat(cost.average()).isCloseTo(0.021186, offset(1e-6));
    }

    @Test
    void paddedAverageAddsDeviations() {
        var survived = WeightedAverage.of(10, 3);
        survived.sample(100);
        survived.sample(200);

        // the mean is 150, the deviation half of |200 − 150|
        assertThat(survived.padded()).isCloseTo(150 + 3 * 25, offset(1e-9));
    }

    @Test
    void zeroPromotionKeepsDeviation() {
        var promoted = WeightedAverage.ofPromotion();
        promoted.sample(100);
        promoted.sample(200);
        double deviation = promoted.padded() - promoted.average();

        promoted.sample(0);

        assertThat(promoted.padded() - promoted.average()).isCloseTo(deviation, offset(1e-9));
    }
}
