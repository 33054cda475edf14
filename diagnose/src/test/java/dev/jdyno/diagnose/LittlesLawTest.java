package dev.jdyno.diagnose;

import static dev.jdyno.measure.RoundFixture.round;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.verdict.Validity.Warning;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Rounds of a service that stopped responding for seconds.
class LittlesLawTest {
    /// 8 requests of the round before were still open for 2.6 s when the round with one in flight
    /// began.
    private static final Round CARRIED =
            round(1, 277.3).answeredAtOnce(15.77).longest(2630).build();

    @Test
    void consistentRoundIsUnchanged() {
        Round held = round(4, 1012).answeredAtOnce(3.95).build();

        assertThat(LittlesLaw.warnings(List.of(held, round(16, 960).build()))).isEmpty();
        assertThat(held.rtMsByLittle()).isCloseTo(3.95, within(0.01));
    }

    @Test
    void reportsRequestsThatOutlastRound() {
        Round held = round(16, 960.1).answeredAtOnce(12.54).longest(6270).build();

        assertThat(LittlesLaw.warnings(List.of(held)))
                .singleElement()
                .satisfies(w -> {
                    assertThat(w.id()).isEqualTo("unanswered");
                    assertThat(w.spoils()).isFalse();
                    assertThat(w.says())
                            .contains("12.0 of 16 requests in flight")
                            .contains("a request took 6270 ms, others longer than the round");
                });
        assertThat(held.rtMsByLittle()).as("what was answered").isEqualTo(12.54);
    }

    @Test
    void reportsRequestsSentBeforeRound() {
        assertThat(LittlesLaw.warnings(List.of(CARRIED)))
                .singleElement()
                .satisfies(w -> {
                    assertThat(w.id()).isEqualTo("carried-over");
                    assertThat(w.says()).contains("4.4 of 1 requests", "one took 2630 ms");
                });
        assertThat(CARRIED.rtMsByLittle()).isCloseTo(3.606, within(0.001));
    }

    /// The figures may be too high or too low, and the round with the largest deviation comes
    /// first.
    @Test
    void everyRoundThatIsOffIsNamed() {
        List<Round> rounds =
                List.of(
                        CARRIED,
                        round(8, 402.6).answeredAtOnce(10.64).longest(67).build(),
                        round(27, 390.5).answeredAtOnce(39.74).longest(200).build(),
                        round(2, 495.3).answeredAtOnce(39.03).longest(3964).build(),
                        round(16, 574.1).answeredAtOnce(32.09).longest(2071).build());

        assertThat(LittlesLaw.warnings(rounds))
                .extracting(Warning::says)
                .satisfiesExactly(
                        few ->
                                assertThat(few)
                                        .contains("4.3 of 8, 15.5 of 27 requests")
                                        .contains("to be connected"),
                        many -> assertThat(many).contains("19.3 of 2, 4.4 of 1 requests"));
    }

    @Test
    void errorsAndLoadOfOthersAreNotJudged() {
        assertThat(
                        LittlesLaw.warnings(
                                List.of(
                                        round(16, 100).answeredAtOnce(1).errors(3).build(),
                                        round(16, 100).answeredAtOnce(1).ofOthers().build())))
                .isEmpty();
    }
}
