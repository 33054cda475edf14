package dev.jdyno.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.judge.Auditor;
import dev.jdyno.judge.Auditor.Check;
import dev.jdyno.judge.Auditor.Violation;
import dev.jdyno.judge.ResultFixture;
import dev.jdyno.measure.OperatingPoint;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Demand;
import dev.jdyno.measure.verdict.Expected;
import dev.jdyno.measure.verdict.Judged;
import dev.jdyno.measure.verdict.StandardChange;
import dev.jdyno.measure.verdict.Verdict.RunnerUp;
import dev.jdyno.measure.verdict.WhatIf;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The auditor removes each impossible figure with a note, and changes nothing else.
class AuditorTest {
    private static final RunResult E1 = ResultFixture.e1();

    private static RunResult with(Round round) {
        List<Round> rounds = new ArrayList<>(E1.rounds());
        rounds.set(0, round);
        return new RunResult(
                E1.jdyno(),
                E1.recording().withRounds(rounds),
                E1.goal(),
                E1.judged(),
                E1.proof(),
                E1.gcLog());
    }

    private static RunResult with(List<Demand> demands, List<WhatIf> whatIf) {
        Judged j = E1.judged();
        return new RunResult(
                E1.jdyno(),
                E1.recording(),
                E1.goal(),
                new Judged(
                        j.knee(),
                        demands,
                        whatIf,
                        j.capacityNotes(),
                        j.layers(),
                        j.verdict(),
                        j.recommendations(),
                        j.validity()),
                E1.proof(),
                E1.gcLog());
    }

    private static GcActivity collected(double pauseShare, double allocated) {
        return new GcActivity(
                new GcActivity.Count(9, 90),
                GcActivity.Count.NONE,
                pauseShare,
                Optional.of(allocated),
                Optional.empty(),
                Optional.of(allocated),
                Optional.empty(),
                Optional.empty());
    }

    private static void assertFound(RunResult result, Check check) {
        assertThat(Auditor.violations(result)).extracting(Violation::check).containsExactly(check);

        RunResult audited = Auditor.audited(result);
        assertThat(Auditor.violations(audited)).isEmpty();
        assertThat(audited.capacityNotes().others())
                .hasSize(result.capacityNotes().others().size() + 1);
        assertThat(audited.verdict()).isEqualTo(result.verdict());
        assertThat(audited.recommendations()).isEqualTo(result.recommendations());
    }

    @Test
    void possibleResultIsUnchanged() {
        assertThat(Auditor.audited(E1)).isEqualTo(E1);
    }

    @Test
    void partsThatAreMoreThanTheirWholeAreLeftOut() {
        Round round = E1.rounds().getFirst();
        double rt = round.rtMs().mean();
        RunResult twice =
                with(round.withBreakdown(new Breakdown(Map.of(Cause.GC, rt * 2), List.of(), -rt)));

        assertFound(twice, Check.PARTS_ABOVE_WHOLE);
        assertThat(Auditor.audited(twice).rounds().getFirst().anatomy()).isEmpty();
    }

    @Test
    void omitsPausesLongerThanRound() {
        RunResult more = with(E1.rounds().getFirst().withGc(collected(1.45, 1e6)));

        assertFound(more, Check.SHARE_ABOVE_ONE);
        assertThat(Auditor.audited(more).rounds().getFirst().gc()).isEmpty();
    }

    @Test
    void uncountedValueIsNotZero() {
        RunResult nothing = with(E1.rounds().getFirst().withGc(collected(0, 0)));

        assertFound(nothing, Check.NOTHING_ALLOCATED);
        GcActivity gc = Auditor.audited(nothing).rounds().getFirst().gc().orElseThrow();
        assertThat(gc.allocBytesPerS()).isEmpty();
        assertThat(gc.requestBytes()).isEmpty();
        assertThat(gc.young().count()).isEqualTo(9);
    }

    @Test
    void singleRoundHasNoInterval() {
        var one = new Demand("cpu", 10, Optional.of(new Interval(9, 11)), 1, 2, 0.9);
        RunResult result = with(List.of(one), E1.whatIf());

        assertFound(result, Check.INTERVAL_OF_ONE_ROUND);
        assertThat(Auditor.audited(result).demands()).containsExactly(one.withoutInterval());
    }

    @Test
    void omitsImpossibleUtilisationAndKeepsDemand() {
        RunResult result =
                with(List.of(new Demand("cpu", 10, Optional.empty(), 3, 2, 1.18)), E1.whatIf());

        assertFound(result, Check.UTILISATION_ABOVE_ONE);
        assertThat(Auditor.audited(result).demands())
                .containsExactly(result.demands().getFirst().withoutUtilisation());
    }

    @Test
    void anImprovementThatGivesLessIsLeftOut() {
        double now = E1.knee().orElseThrow().qps();
        RunResult result =
                with(
                        E1.demands(),
                        List.of(new WhatIf(StandardChange.CPU, now * 0.9, 50, 20, "F2")));

        assertFound(result, Check.WORSE_BY_IMPROVEMENT);
        assertThat(Auditor.audited(result).whatIf()).isEmpty();
    }

    private static WhatIf at(double qps, double best, int load) {
        return new WhatIf(
                StandardChange.CORES,
                best,
                50,
                20,
                "F2",
                List.of(),
                Optional.of(new Expected(qps, load / qps * 1000, load, Optional.empty())));
    }

    /// If only the response time of a single request is known, requests in flight give a lower
    /// bound.
    @Test
    void omitsPredictionFasterThanSingleRequest() {
        Round now = E1.operatingPoint().map(OperatingPoint::round).orElseThrow();
        double alone = E1.recording().load(now).aloneMs();
        double best = 3 * E1.knee().orElseThrow().qps();
        double max = now.concurrency() / (alone / 3) * 1000;
        RunResult result = with(E1.demands(), List.of(at(1.1 * max, best, now.concurrency())));

        assertFound(result, Check.FASTER_THAN_ALONE);
        assertThat(Auditor.audited(result).whatIf()).isEmpty();
    }

    @Test
    void omitsPredictionAboveItsOwnMaximum() {
        double best = 1.2 * E1.operatingPoint().map(OperatingPoint::round).orElseThrow().qps();
        RunResult result = with(E1.demands(), List.of(at(1.1 * best, best, 1000)));

        assertFound(result, Check.MORE_THAN_ITS_BOUND);
        assertThat(Auditor.audited(result).whatIf()).isEmpty();
    }

    /// A bottleneck remains excluded by a figure below its limit, or by a reason without a figure.
    @Test
    void omitsReasonThatReachesLimit() {
        RunnerUp below = against(Bottleneck.LOCK, 0.17, 0.4);
        RunnerUp byWords = RunnerUp.ruledOut(Bottleneck.DISK, 0.1, "only 100 % (limit 30 %)");
        for (double value : new double[] {1, 0.4, Double.NaN}) {
            RunResult result =
                    against(List.of(below, against(Bottleneck.CPU, value, 0.4), byWords));

            assertThat(Auditor.violations(result))
                    .extracting(Violation::check)
                    .containsExactly(Check.REASON_BEYOND_LIMIT);
            assertThat(Auditor.audited(result).verdict().runnersUp())
                    .containsExactly(below, byWords);
        }
    }

    private static RunnerUp against(Bottleneck name, double value, double limit) {
        return RunnerUp.ruledOut(name, 0.1, "only so much")
                .decidedBy(Optional.of(new RunnerUp.Decided(value, limit)));
    }

    private static RunResult against(List<RunnerUp> others) {
        Judged j = E1.judged();
        return new RunResult(
                E1.jdyno(),
                E1.recording(),
                E1.goal(),
                new Judged(
                        j.knee(),
                        j.demands(),
                        j.whatIf(),
                        j.capacityNotes(),
                        j.layers(),
                        j.verdict().withRunnersUp(others),
                        j.recommendations(),
                        j.validity()),
                E1.proof(),
                E1.gcLog());
    }
}
