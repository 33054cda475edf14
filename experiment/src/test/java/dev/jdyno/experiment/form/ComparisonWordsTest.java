package dev.jdyno.experiment.form;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.experiment.Comparison;
import dev.jdyno.experiment.Comparison.Judged;
import dev.jdyno.experiment.Comparison.Row;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ComparisonWordsTest {
    private static Row row(double measured, String unit) {
        return new Row(
                "figure", Optional.empty(), Optional.of(1.0), measured, unit, Optional.empty());
    }

    @Test
    void answersToAQuestionAreYesOrNo() {
        assertThat(ComparisonWords.measured(row(0, Comparison.YES_OR_NO))).isEqualTo("no");
        Row yes = row(1, Comparison.YES_OR_NO);
        assertThat(ComparisonWords.value(yes, yes.predicted())).isEqualTo("yes");
        assertThat(ComparisonWords.value(yes, yes.published())).isEqualTo("–");
    }

    @Test
    void ratiosAndCountsHaveNoUnit() {
        assertThat(ComparisonWords.measured(row(2, "ratio"))).isEqualTo("2");
        assertThat(ComparisonWords.measured(row(5000, ""))).isEqualTo("5000");
        assertThat(ComparisonWords.measured(row(4.5, "ms"))).isEqualTo("4.5 ms");
    }

    @Test
    void figureJudgedByDirectionHasNoBound() {
        assertThat(ComparisonWords.bound(new Judged(true, 0))).isEmpty();
        assertThat(ComparisonWords.bound(new Judged(true, 0.15))).isEqualTo(" (within 15 %)");
    }
}
