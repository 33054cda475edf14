package dev.jdyno.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.experiment.Comparison.Row;
import dev.jdyno.experiment.EncodedBody.Cell;
import dev.jdyno.experiment.form.ComparisonReport;
import java.util.List;
import org.junit.jupiter.api.Test;

class EncodedBodyTest {
    private static Comparison with(double writerMs) {
        return EncodedBody.judged(
                List.of(
                        new Cell("JDK 25", "latin", "writer", 3000, writerMs),
                        new Cell("JDK 25", "latin", "encode", 4000, 0.12),
                        new Cell("JDK 25", "latin", "bytes", 5000, 0.10)));
    }

    private static Row gain(Comparison c) {
        return c.rows().stream().filter(r -> r.judged().isPresent()).findFirst().orElseThrow();
    }

    @Test
    void experimentHoldsIfHalfOfThePublishedGainIsMeasured() {
        assertThat(with(0.15).holds()).isTrue();
        assertThat(gain(with(0.15)).measured()).isCloseTo(1.5, within(1e-9));
        assertThat(with(0.14).holds()).isFalse();
    }

    @Test
    void reportsPartOfBodyThatIsInvalid() {
        assertThat(gain(with(0.14)).judged().orElseThrow().why())
                .hasValueSatisfying(why -> assertThat(why).contains("40 µs", "20 µs", "100 µs"));
        assertThat(gain(with(0.15)).judged().orElseThrow().why()).isEmpty();
        assertThat(ComparisonReport.of(with(0.14), false)).contains("(at least 1.47)\n  why: ");
        assertThat(ComparisonReport.of(with(0.14), true)).contains("\"why\":\"the Writer");
    }
}
