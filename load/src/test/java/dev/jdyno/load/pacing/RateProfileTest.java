package dev.jdyno.load.pacing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RateProfileTest {
    @Test
    void readsNumberAsConstantRate() {
        assertThat(RateProfile.parse("5k").at(0)).isEqualTo(5000);
        assertThat(RateProfile.parse("5k").at(1)).isEqualTo(5000);
    }

    @Test
    void stepsOfARateHaveEqualDuration() {
        RateProfile steps = RateProfile.parse("100,200,400");

        assertThat(steps.at(0.32)).isEqualTo(100);
        assertThat(steps.at(0.34)).isEqualTo(200);
        assertThat(steps.at(0.99)).isEqualTo(400);
        assertThat(steps.at(1)).isEqualTo(400);
    }

    @Test
    void aRampRisesEvenly() {
        assertThat(RateProfile.parse("100..1100").at(0.5)).isEqualTo(600);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "0", "-5", "100,,200", "1..", "..5", "NaN"})
    void refusesInvalidRate(String text) {
        assertThatThrownBy(() -> RateProfile.parse(text))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
