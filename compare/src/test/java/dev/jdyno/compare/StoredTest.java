package dev.jdyno.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.judge.ResultFixture;
import dev.jdyno.measure.RoundFixture;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.text.UserError;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StoredTest {
    private static Drift published(Metric any) {
        return Drift.PUBLISHED;
    }

    private static RunResult with(double qps, int... concurrency) {
        RunResult r = ResultFixture.e1();
        return new RunResult(
                r.jdyno(),
                r.recording()
                        .withRounds(
                                IntStream.of(concurrency)
                                        .mapToObj(n -> RoundFixture.round(n, qps).build())
                                        .toList()),
                r.goal(),
                r.judged());
    }

    private static Outcome verdict(double ratio) {
        return Stored.compared(
                        with(1000, 1, 16, 32),
                        with(1000 * ratio, 1, 16, 32),
                        Metric.QPS,
                        0.03,
                        StoredTest::published)
                .verdict();
    }

    @Test
    void differenceWithinMachineDriftGivesNoVerdict() {
        assertThat(verdict(1)).isEqualTo(Outcome.INCONCLUSIVE);
        assertThat(verdict(1.07)).isEqualTo(Outcome.INCONCLUSIVE);
        assertThat(verdict(0.93)).isEqualTo(Outcome.INCONCLUSIVE);
    }

    @Test
    void differenceBeyondMachineDriftGivesAVerdict() {
        assertThat(verdict(1.5)).isEqualTo(Outcome.BETTER);
        assertThat(verdict(0.5)).isEqualTo(Outcome.WORSE);
    }

    @Test
    void usesOnlyUpperHalfOfLoads() {
        Compared c =
                Stored.compared(
                        with(1000, 1, 16, 32),
                        with(900, 1, 16, 32),
                        Metric.QPS,
                        0.03,
                        StoredTest::published);

        assertThat(c.pairs()).isEqualTo(2);
        assertThat(c.restarted()).isFalse();
        assertThat(c.notes()).hasOnlyElementsOfType(Note.NotInterleaved.class);
    }

    @Test
    void resultsWithoutACommonLoadAreRefused() {
        List<RunResult> two = List.of(with(1000, 16), with(1000, 17));

        assertThatThrownBy(() ->
                        Stored.compared(
                                two.get(0), two.get(1), Metric.QPS, 0.03, StoredTest::published))
                .isInstanceOf(UserError.class);
    }
}
