package dev.jdyno.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.judge.ResultFixture;
import dev.jdyno.judge.ResultVariants;
import dev.jdyno.judge.Results;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.Validity;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The command that measures a gain, against what else the report asks for.
class CommandsTest {
    private static final Recommendation CODE = ResultFixture.e1().prescriptions().getFirst();

    private static String verify(RunResult result) {
        return Commands.of(CODE, result).verify().orElseThrow();
    }

    /// The loads of the fixture are 1, 2, 4, 8, 12, 16, 20, 24, 32 and 40.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "give a lower load to find the knee: --concurrency=1,3,5,... | 1,2,3,4,5,8,12",
                "give a lower load to find it: --concurrency=1,6,12,... | 1,2,4,6,8,12",
                "throughput still rises: --concurrency=40,80 | 24,32,40,80"
            })
    void theLoadsThatTheReportAsksForAreMeasured(String why, String loads) {
        RunResult unclear = Results.withKneeUnclear(ResultVariants.withoutKnee(List.of()), why);

        assertThat(verify(unclear)).contains(loads);
        assertThat(verify(ResultVariants.withoutKnee(List.of())))
                .contains("--concurrency 1,2,4,8,12,16,20,24,32,40 ");
    }

    @Test
    void aKneeThatWasFoundAsksForNoLoads() {
        assertThat(verify(Results.withKneeUnclear(ResultFixture.e1(), "--concurrency=3,...")))
                .contains("--concurrency 1,2,4,");
    }

    @ParameterizedTest
    @ValueSource(strings = {"warmup", "not-warm"})
    void aWarmUpThatWasTooShortIsTwiceAsLong(String id) {
        RunResult cold =
                ResultVariants.warmedFor(
                        3.05, new Validity.Warning(id, "give a longer --warmup than 3s", false));

        assertThat(verify(cold)).contains(" --warmup 7s ");
    }

    @Test
    void anotherRemarkAsksForNoWarmUp() {
        RunResult other =
                ResultVariants.warmedFor(3.05, new Validity.Warning("steal", "steal", false));

        assertThat(verify(other)).doesNotContain("--warmup");
    }
}
