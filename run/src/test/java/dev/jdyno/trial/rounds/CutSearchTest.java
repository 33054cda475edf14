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

    private static final MeasuredRounds ROUNDS =
            MeasuredRounds.of(List.of(round(1, 10).build(), round(6, 60).build()));

    /// A round on two cores with 10 ms of CPU and 80 ms of waiting a request.
    private static Round at(int n, double others) {
        double qps = Math.min(n / 0.090, (1.95 - others) / 0.010);
        return round(n, qps).cores(qps * 0.010).others(others).build();
    }

    /// The named loads, before and after the word that gives the reason.
    private static String toCome(List<Integer> planned, Round... run) {
        return CutSearch.of(NEXT, planned, MeasuredRounds.of(List.of(run))).orElseThrow().says();
    }

    @Test
    void repeatsDisturbedLoadLater() {
        List<Integer> planned = List.of(1, 24, 32, 40);
        assertThat(toCome(planned, at(1, 0), at(24, 1), at(32, 0)))
                .contains(": 24 in flight not run without disturbance, 40 in flight not run,");
        assertThat(toCome(planned, at(1, 0), at(24, 1), at(32, 0), at(40, 0)))
                .contains(": 24 in flight not run without disturbance,");
        assertThat(toCome(List.of(1, 24, 24, 32), at(1, 0), at(24, 0)))
                .contains(": 24, 32 in flight not run,");
    }

    @Test
    void namesNextLoadOfSearch() {
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
    void listsLoadsThatWereNotRun() {
        assertThat(CutSearch.of(NEXT, List.of(1, 6, 12, 24), ROUNDS).orElseThrow().says())
                .contains(": 12, 24 in flight not run");
    }

    @Test
    void finishedSearchHasNoNextLoad() {
        assertThat(CutSearch.of(new Step.Done(Reason.PRECISE_ENOUGH, ""), List.of(), ROUNDS))
                .isEmpty();
        assertThat(CutSearch.of(NEXT, List.of(), MeasuredRounds.of(List.of()))).isEmpty();
    }
}
