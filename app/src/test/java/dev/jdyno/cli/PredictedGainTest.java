package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.verdict.Expected;
import dev.jdyno.measure.verdict.Recommendation;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Predicted gain of the first recommendation, compared with the measured gain. The changed
/// services were measured on the same machine right after the recorded ones.
class PredictedGainTest {
    private static final double ERROR = 0.20;

    /// The measured value is interpolated between the rounds next to this load, in proportion to
    /// the response times.
    @ParameterizedTest
    @CsvSource({
        // 8 in flight 1144/s at 6.99 ms, 19 in flight 2585/s at 7.35 ms
        "order-ledger, lock-call, 16, 2210",
        // 11 in flight 969/s, 22 in flight 1945/s, both at 11.3 ms
        "payment-capture, pool-call-outside, 16, 1416"
    })
    void firstRecommendationPredictsMeasuredThroughput(
            String recording, String id, int concurrency, double measured) throws IOException {
        Recommendation first = judged(recording).recommendations().getFirst();

        assertThat(first.id()).isEqualTo(id);
        Expected expected = first.expected().orElseThrow();
        assertThat(expected.atConcurrency()).isEqualTo(concurrency);
        assertThat(expected.qps()).isCloseTo(measured, within(ERROR * measured));
        assertThat(expected.qps())
                .as("Little's law")
                .isCloseTo(concurrency / expected.rtMs() * 1000, within(0.02 * measured));
    }

    @Test
    void callMovedOutOfThePoolStillTakesItsTime() throws IOException {
        RunResult result = judged("payment-capture");
        double alone =
                result.rounds().stream()
                        .filter(r -> r.concurrency() == 1)
                        .findFirst()
                        .orElseThrow()
                        .rtMs()
                        .mean();

        assertThat(result.recommendations().getFirst().expected().orElseThrow().rtMs())
                .isGreaterThan(0.9 * alone);
    }

    private static RunResult judged(String name) throws IOException {
        return Corpus.judged(name, Corpus.other(name));
    }
}
