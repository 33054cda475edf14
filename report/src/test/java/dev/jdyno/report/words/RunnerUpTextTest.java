package dev.jdyno.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict.RunnerUp;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunnerUpTextTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "true | JIT | all is used | Also cpu (confidence 0.52), which follows from jit: all is used",
                "true | | all is used | Less likely cpu (confidence 0.52): all is used",
                "false | | CPU at 40 % | Not cpu: CPU at 40 %",
            })
    void onlyPossibleRunnersUpHaveConfidence(
            boolean possible, @Nullable Bottleneck from, String whyNot, String says) {
        var other =
                new RunnerUp(
                        Bottleneck.CPU,
                        0.52,
                        possible,
                        Optional.ofNullable(from),
                        Sentence.of(whyNot));

        assertThat(RunnerUpText.of(other)).hasToString(says);
    }
}
