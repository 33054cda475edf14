package dev.jdyno.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.compare.Compared;
import dev.jdyno.compare.Effect;
import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Outcome;
import dev.jdyno.measure.statistics.Interval;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/// The verdict about CPU per request from two comparisons with a pinned build.
class PinnedVerdictTest {
    private static final Figure CPU = Figure.all(0.03).getFirst();

    private static Compared.Row row(Outcome outcome, double ratio) {
        return row(
                outcome,
                Optional.of(
                        new Effect(
                                ratio,
                                new Interval(ratio - 0.01, ratio + 0.01),
                                Optional.empty(),
                                3)));
    }

    private static Compared.Row row(Outcome outcome, Optional<Effect> effect) {
        return new Compared.Row(
                Metric.CPU,
                OptionalDouble.of(1),
                OptionalDouble.of(2),
                effect,
                outcome,
                List.of(),
                List.of());
    }

    private static Verdict of(Compared.Row first, Compared.Row again) {
        return PinnedGuarding.verdict(CPU, first, Optional.of(again));
    }

    @Test
    void secondComparisonMustConfirmRegression() {
        Compared.Row worse = row(Outcome.WORSE, 1.1);

        assertThat(PinnedGuarding.verdict(CPU, worse, Optional.empty())).isEqualTo(Verdict.SUSPECT);
        assertThat(of(worse, worse)).isEqualTo(Verdict.WORSE);
        assertThat(of(worse, row(Outcome.EQUIVALENT, 1.0))).isEqualTo(Verdict.OK);
        assertThat(of(worse, row(Outcome.BETTER, 0.9))).isEqualTo(Verdict.OK);
        assertThat(of(worse, row(Outcome.WORSE, 1.02))).as("too little").isEqualTo(Verdict.OK);
    }

    @Test
    void undecidedSecondComparisonDoesNotClear() {
        Compared.Row worse = row(Outcome.WORSE, 2.0);

        assertThat(of(worse, row(Outcome.INCONCLUSIVE, 2.0))).isEqualTo(Verdict.UNCLEAR);
        assertThat(of(worse, row(Outcome.INCONCLUSIVE, Optional.empty())))
                .as("no time for a second start")
                .isEqualTo(Verdict.UNCLEAR);
    }

    @Test
    void repeatsNoComparisonWithoutRegression() {
        assertThat(PinnedGuarding.verdict(CPU, row(Outcome.BETTER, 0.9), Optional.empty()))
                .isEqualTo(Verdict.BETTER);
        assertThat(PinnedGuarding.verdict(CPU, row(Outcome.INCONCLUSIVE, 1.1), Optional.empty()))
                .isEqualTo(Verdict.UNCLEAR);
        assertThat(PinnedGuarding.verdict(CPU, row(Outcome.WORSE, 1.02), Optional.empty()))
                .isEqualTo(Verdict.OK);
    }
}
