package dev.jdyno.trial.rounds;

import static dev.jdyno.measure.RoundFixture.round;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.capacity.KneeSearch.Reason;
import dev.jdyno.capacity.KneeSearch.Step;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.verdict.Validity;
import java.util.List;
import org.junit.jupiter.api.Test;

class CutSearchTest {
    private static final Step NEXT = new Step.Measure(12, 6, "twice the estimate");

    private static final List<Round> ROUNDS = List.of(round(1, 10).build(), round(6, 60).build());

    @Test
    void aSearchSaysWhichLoadWasNext() {
        assertThat(CutSearch.of(NEXT, List.of(), ROUNDS))
                .hasValueSatisfying(w -> {
                    assertThat(w.id()).isEqualTo(Validity.SEARCH_CUT);
                    assertThat(w.says())
                            .startsWith(
                                    "the search was cut off after 6 in flight: 12 in flight was next");
                    assertThat(w.spoils()).isFalse();
                });
    }

    @Test
    void aPlanSaysWhichLoadsWereNotRun() {
        assertThat(CutSearch.of(NEXT, List.of(1, 6, 12, 24), ROUNDS).orElseThrow().says())
                .contains(": 12, 24 in flight not run");
    }

    @Test
    void aSearchAtItsEndWasNotCutOff() {
        assertThat(CutSearch.of(new Step.Done(Reason.PRECISE_ENOUGH, ""), List.of(), ROUNDS))
                .isEmpty();
        assertThat(CutSearch.of(NEXT, List.of(), List.of())).isEmpty();
    }
}
