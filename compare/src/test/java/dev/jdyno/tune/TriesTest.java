package dev.jdyno.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Outcome;
import dev.jdyno.measure.load.Goal;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.tune.Race.Ended;
import dev.jdyno.tune.Race.Raced;
import dev.jdyno.tune.Tuned.Fate;
import dev.jdyno.tune.Tuned.Tried;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The decisions about candidates, and the choice of the next ones.
class TriesTest {
    private static final Fates FATES = new Fates(TuneSettings.DEFAULT);

    private static Candidate candidate(int number) {
        return new Candidate(
                "c" + number,
                "candidate " + number,
                List.of(new Change.JvmFlag("-XX:F" + number, "1")),
                Optional.empty(),
                false);
    }

    private static Measured measured(Outcome outcome, double gain, double lo, double hi) {
        return new Measured(
                outcome,
                Metric.QPS,
                Optional.of(gain),
                Optional.of(new Interval(lo, hi)),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                3,
                false,
                Optional.of(50.0),
                Optional.of(8),
                Optional.empty());
    }

    private static Raced raced(Outcome outcome, double gain, double lo, double hi) {
        return new Raced(Ended.MEASURED, Optional.of(measured(outcome, gain, lo, hi)), "");
    }

    /// A candidate is compared if its look shows half of the smallest effect of 3 %, and the effect
    /// may be all of it. A candidate that shows less is not rejected if its effect may be that
    /// large.
    @ParameterizedTest
    @CsvSource({
        "1.10, 1.05, 1.15, NOT_COMPARED, false",
        "1.02, 0.90, 1.15, NOT_COMPARED, false",
        "1.01, 0.90, 1.15, NOT_PROMISING, false",
        "0.986, 0.518, 1.878, NOT_PROMISING, false",
        "1.02, 1.01, 1.025, REJECTED, false",
        "0.95, 0.90, 1.01, REJECTED, false",
        "0.90, 0.85, 0.95, REJECTED, true"
    })
    void firstLookDecidesWhetherACandidateIsCompared(
            double gain, double lo, double hi, Fate fate, boolean never) {
        Tried seen = FATES.looked(candidate(1), raced(Outcome.INCONCLUSIVE, gain, lo, hi));

        assertThat(seen.fate()).isEqualTo(fate);
        assertThat(Fates.rulesOut(seen)).isEqualTo(never);
    }

    @ParameterizedTest
    @CsvSource({
        "BETTER, ACCEPTED",
        "WORSE, REJECTED",
        "EQUIVALENT, REJECTED",
        "INCONCLUSIVE, INCONCLUSIVE"
    })
    void aComparisonAcceptsOrRejectsACandidate(Outcome outcome, Fate fate) {
        Tried seen = FATES.looked(candidate(1), raced(Outcome.INCONCLUSIVE, 1.1, 1, 1.2));

        assertThat(FATES.proved(seen, raced(outcome, 1.1, 1, 1.2)).fate()).isEqualTo(fate);
    }

    @Test
    void rejectsNothingWithoutFigure() {
        var none =
                new Measured(
                        Outcome.INCONCLUSIVE,
                        Metric.QPS,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        1,
                        false,
                        Optional.empty(),
                        Optional.of(8),
                        Optional.empty());

        assertThat(
                        FATES.looked(candidate(1), new Raced(Ended.MEASURED, Optional.of(none), ""))
                                .fate())
                .isEqualTo(Fate.NOT_PROMISING);
    }

    /// One candidate was compared and one waits for its comparison. One had a look and was not
    /// promising. Two had no look.
    @Test
    void countsRemainingCandidates() {
        List<Candidate> all =
                List.of(candidate(1), candidate(2), candidate(3), candidate(4), candidate(5));
        var tries = new Tries();
        Raced good = raced(Outcome.INCONCLUSIVE, 1.1, 0.9, 1.3);
        Raced bad = raced(Outcome.INCONCLUSIVE, 0.9, 0.7, 1.3);
        for (int i = 0; i < 2; i++) {
            tries.looked(all.get(i), good.measured());
            tries.ended(FATES.looked(all.get(i), good));
        }
        tries.looked(all.get(2), bad.measured());
        tries.ended(FATES.looked(all.get(2), bad));

        assertThat(tries.unseen(all)).hasSize(2);
        assertThat(tries.notCompared(all)).hasSize(2);
        tries.ended(FATES.proved(FATES.looked(all.get(0), good), good));
        assertThat(tries.notCompared(all)).hasSize(1);
        tries.anew();
        assertThat(tries.unseen(all)).as("those that were seen are not unseen again").hasSize(2);
    }

    @Test
    void neverRetriesUnusableCandidate() {
        var refused = new Raced(Ended.DID_NOT_START, Optional.empty(), "no such flag");
        var crashed = new Raced(Ended.FAILED, Optional.empty(), "it ended");

        Tried notStarted = FATES.looked(candidate(1), refused);
        Tried failed = FATES.looked(candidate(2), crashed);

        assertThat(notStarted.fate()).isEqualTo(Fate.DOES_NOT_START);
        assertThat(notStarted.why()).isEqualTo("no such flag");
        assertThat(failed.fate()).isEqualTo(Fate.INFEASIBLE);
        var tries = new Tries();
        tries.ended(notStarted);
        tries.ended(failed);
        tries.anew();
        assertThat(tries.next(List.of(candidate(1), candidate(2), candidate(3))))
                .containsExactly(candidate(3));
    }

    @Test
    void fasterButWrongIsInfeasible() {
        var wrong =
                new Measured(
                        Outcome.WORSE,
                        Metric.QPS,
                        Optional.of(3.0),
                        Optional.of(new Interval(2, 4)),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        1,
                        true,
                        Optional.empty(),
                        Optional.of(8),
                        Optional.empty());

        assertThat(
                        FATES.looked(
                                        candidate(1),
                                        new Raced(
                                                Ended.WRONG_ANSWERS,
                                                Optional.of(wrong),
                                                "answers wrongly"))
                                .fate())
                .isEqualTo(Fate.INFEASIBLE);
    }

    @ParameterizedTest
    @CsvSource({"49, INFEASIBLE", "51, ACCEPTED"})
    void aBrokenGoalIsInfeasible(double goal, Fate fate) {
        var preset = TuneSettings.DEFAULT;
        var settings =
                new TuneSettings(
                        preset.improved(),
                        Optional.of(Goal.responseTime("p99", 0.99, goal)),
                        preset.budget(),
                        preset.block(),
                        preset.warmup(),
                        preset.minEffect(),
                        preset.keepHeap());
        Tried seen = FATES.looked(candidate(1), raced(Outcome.INCONCLUSIVE, 1.1, 1, 1.2));

        assertThat(new Fates(settings).proved(seen, raced(Outcome.BETTER, 1.1, 1.05, 1.2)).fate())
                .isEqualTo(fate);
    }

    @Test
    void triesSixTogetherAndRepeatsThree() {
        List<Candidate> all = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            all.add(candidate(i));
        }
        var tries = new Tries();

        List<Candidate> first = tries.next(all);
        for (int i = 0; i < first.size(); i++) {
            Raced look = raced(Outcome.INCONCLUSIVE, 0.96 + i / 100.0, 0.9, 1.02);
            tries.looked(first.get(i), look.measured());
            tries.ended(FATES.looked(first.get(i), look));
        }
        List<Candidate> second = tries.next(all);
        second.forEach(c -> tries.ended(FATES.looked(c, raced(Outcome.WORSE, 1, 0.9, 1.1))));

        assertThat(first).containsExactlyElementsOf(all.subList(0, 6));
        assertThat(second).containsExactlyElementsOf(all.subList(6, 10));
        assertThat(tries.next(all)).isEmpty();
        tries.anew();
        List<Candidate> again = tries.next(all);
        assertThat(again).as("the last look at c5 was the best").startsWith(candidate(5));
        assertThat(again.stream().filter(first::contains)).hasSizeLessThanOrEqualTo(3);
    }
}
