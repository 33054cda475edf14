package dev.jdyno.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.Goal;
import dev.jdyno.measure.Problems;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GoalTextTest {
    @Test
    void goalsAreReadAndEveryMistakeIsNamed() {
        var problems = new Problems();

        assertThat(GoalText.parse("p99<100ms, p99.9<1.5s,errors<0.1%", problems))
                .extracting(Goal::name)
                .containsExactly("p99<100ms", "p99.9<1.5s", "errors<0.1%");
        assertThat(problems.list()).isEmpty();

        GoalText.parse("p99<100,fast,errors<100%,p0<1ms", problems);
        assertThat(problems.list()).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-3", "fast", "1e3", ""})
    void aRateMustBePositive(String text) {
        assertThatThrownBy(() -> GoalText.rate(text)).hasMessageContaining("not a positive rate");
    }

    @Test
    void aBudgetThatGivesNoBracketIsRefused() {
        assertThatThrownBy(() -> GoalText.budget("90s")).hasMessageContaining("write 2m or more");
        assertThat(GoalText.budget("5m")).isEqualTo(java.time.Duration.ofMinutes(5));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.5%", "60%"})
    void aPrecisionThatNoServiceHoldsOrNobodyNeedsIsRefused(String text) {
        assertThatThrownBy(() -> GoalText.precision(text))
                .hasMessageContaining("not between 1 % and 50 %");
    }
}
