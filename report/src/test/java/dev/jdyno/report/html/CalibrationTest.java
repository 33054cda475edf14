package dev.jdyno.report.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CalibrationTest {
    private static final String HEAD = "from\tanswers\tright\n";

    @ParameterizedTest
    @CsvSource({
        "1, 30 of 40",
        "0.9, 30 of 40",
        "0.89, 20 of 31",
        "0.8, 20 of 31",
        "0.79, 1 of 7",
        "0, 1 of 7"
    })
    void rowOfACalibrationIsFoundByConfidence(double confidence, String counts) {
        var three = Calibration.parse(HEAD + "0.9\t40\t30\n0.8\t31\t20\n0\t7\t1\n");

        assertThat(three.says(confidence)).contains(counts);
    }

    @Test
    void theFileInTheJarHasARowForEachConfidence() {
        assertThat(Calibration.builtIn().rows())
                .extracting(Calibration.Row::from)
                .containsExactly(0.9, 0.8, 0.0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0.9\t40\t30\n", "0\t40\t41\n", "2\t40\t30\n0\t1\t1\n"})
    void fileThatIsNoCalibrationIsRefused(String rows) {
        assertThatThrownBy(() -> Calibration.parse(HEAD + rows))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
