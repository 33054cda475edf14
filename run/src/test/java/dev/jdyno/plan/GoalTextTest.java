package dev.jdyno.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.load.Goal;
import dev.jdyno.measure.text.Problems;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoalTextTest {
    @Test
    void goalsAreReadAndEveryMistakeIsNamed() {
        var problems = new Problems();

        assertThat(GoalText.parse("p99<100ms, p99.9<1.5s,errors<0.1%", problems))
                .extracting(Goal::name)
                .containsExactly("p99<100ms", "p99.9<1.5s", "errors<0.1%");
        assertThat(problems.list()).isEmpty();

        assertThat(GoalText.parse("p99<2s,ttfb.p99<50ms", problems))
                .extracting(Goal::firstByte)
                .containsExactly(false, true);
        assertThat(problems.list()).isEmpty();

        GoalText.parse("p99<100,fast,errors<100%,p0<1ms", problems);
        assertThat(problems.list()).hasSize(4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "p99<0; not a duration",
                "p99<0ms; no request takes no time",
                "p99<-5ms; not a duration",
                "p99>5ms; not a goal",
                "p100<5ms; no load shows that not one request will be slow",
                "p101<5ms; between 0 and 100",
                "p0<5ms; between 0 and 100",
                "errors<200%; not a share",
                "errors<0%; not a share",
                "latency<5ms; not a goal",
                "ttfb<5ms; not a goal",
                "ttfb.errors<5%; not a goal",
                "ttfb.p99<5; not a duration",
                "ttfb.p99<100ms,ttfb.p99.0<50ms; given before: ttfb.p99<100ms",
                "p99<100ms,p99.0<50ms; given before: p99<100ms",
                "errors<1%,p50<5ms,errors<2%; given before: errors<1%"
            })
    void unsearchableGoalGivesOneError(String text, String says) {
        var problems = new Problems();

        GoalText.parse(text, problems);

        assertThat(problems.list()).hasSize(1);
        assertThat(problems.list().getFirst().what()).contains(says);
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
    void refusesTooHighOrTooLowPrecision(String text) {
        assertThatThrownBy(() -> GoalText.precision(text))
                .hasMessageContaining("not between 1 % and 50 %");
    }
}
