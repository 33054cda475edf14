package dev.jdyno.diagnose.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BelowLimitTest {
    @ParameterizedTest
    @CsvSource({"1.0, 0.3", "0.3, 0.3", "NaN, 0.3", "0.1, NaN", "Infinity, 1"})
    void figureAtItsLimitIsNoReason(double value, double limit) {
        assertThat(BelowLimit.of(value, limit)).isEmpty();
        assertThatThrownBy(() -> new BelowLimit(value, limit))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /// Rounded to whole percent, 39.8 % would be shown as `only 40 % (limit 40 %)`.
    @ParameterizedTest
    @CsvSource({
        "0.0, 0.4",
        "0.17, 0.4",
        "0.398, 0.4",
        "0.3999999, 0.4",
        "0.699, 0.7",
        "0.2995, 0.3"
    })
    void theFiguresShownAreBelowTheirLimitToo(double value, double limit) {
        var below = new BelowLimit(value, limit);

        for (double times : new double[] {1, 100}) {
            assertThat(Double.parseDouble(below.shown(times)))
                    .isLessThan(Double.parseDouble(below.limit(times)));
        }
    }

    @Test
    void valueFarBelowLimitIsShownInWholePercent() {
        assertThat(new BelowLimit(0.1749, 0.4).shown(100)).isEqualTo("17");
    }
}
