package dev.jdyno.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict.RunnerUp;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunnerUpTextTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "follows from jit: all is used | Also cpu (confidence 0.52), which follows from jit: all is used",
                "less likely: all is used | Less likely cpu (confidence 0.52): all is used",
                "CPU at 40 % | Not cpu: CPU at 40 %",
            })
    void onlyWhatMayBeTrueAsWellHasAConfidence(String whyNot, String says) {
        assertThat(RunnerUpText.of(new RunnerUp(Bottleneck.CPU, 0.52, whyNot))).isEqualTo(says);
    }
}
