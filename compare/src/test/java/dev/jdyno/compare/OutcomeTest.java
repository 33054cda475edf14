package dev.jdyno.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.statistics.Interval;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutcomeTest {
    @ParameterizedTest
    @CsvSource({
        "1.10, 1.05, 1.15, true, BETTER",
        "1.10, 1.05, 1.15, false, WORSE",
        "0.90, 0.85, 0.95, true, WORSE",
        "0.90, 0.85, 0.95, false, BETTER",
        // the interval excludes 1, but the effect may be smaller than the smallest that matters
        "1.02, 1.01, 1.05, true, INCONCLUSIVE",
        "1.02, 1.01, 1.03, true, EQUIVALENT",
        "1.00, 0.98, 1.02, true, EQUIVALENT",
        "1.10, 0.95, 1.30, true, INCONCLUSIVE",
        "0.96, 0.90, 0.99, true, WORSE"
    })
    void effectCountsIfSignificantAndRelevant(
            double ratio, double lo, double hi, boolean higherIsBetter, Outcome outcome) {
        assertThat(Outcome.of(ratio, new Interval(lo, hi), 0.03, higherIsBetter))
                .isEqualTo(outcome);
    }
}
