package dev.jdyno.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.judge.ResultFixture;
import dev.jdyno.judge.ResultVariants;
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

    /// The lowest load of the fixture from which on its throughput is flat, and what is to be
    /// measured then.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"20 | 1,10,20,24,32,40", "24 | 1,12,24,32,40"})
    void theLoadsThatTheReportAsksForAreMeasured(int lowest, String loads) {
        assertThat(verify(from(lowest, ResultVariants.withoutKnee(List.of()))))
                .contains("--concurrency " + loads + " ");
    }

    @Test
    void aKneeThatWasFoundOrIsBeyondTheLoadsAsksForNoLowerOnes() {
        RunResult rising =
                ResultVariants.withRounds(
                        ResultVariants.withoutKnee(List.of()),
                        List.of(ResultVariants.round(2), ResultVariants.round(4)));

        assertThat(verify(from(20, ResultFixture.e1()))).contains("--concurrency 20,24,32,40 ");
        assertThat(verify(rising)).contains("--concurrency 2,4 ");
    }

    private static RunResult from(int lowest, RunResult r) {
        return ResultVariants.withRounds(
                r, r.rounds().stream().filter(x -> x.concurrency() >= lowest).toList());
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
