package dev.jdyno.report.words;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.judge.ResultFixture;
import dev.jdyno.judge.ResultVariants;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Expected;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.RecommendedChange;
import dev.jdyno.measure.verdict.Verdict;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GainTextTest {
    /// A round of 173.8/s and 115 ms with 20 in flight.
    private static final Optional<Round> NOW =
            ResultFixture.e1().operatingPoint().map(p -> p.round());

    private static Recommendation with(
            Optional<Double> qpsRatio, boolean atMost, Optional<Expected> expected) {
        return new Recommendation(
                RecommendedChange.read("id", "", List.of(new Change.Code()), false),
                Sentence.of("says"),
                "how",
                qpsRatio,
                qpsRatio.map(q -> 1 / q),
                atMost,
                "why",
                Optional.empty(),
                expected);
    }

    private static String gain(double qps, double lo, double hi, boolean atMost) {
        var expected = new Expected(qps, 80, 20, Optional.of(new Interval(lo, hi)));
        return GainText.of(with(Optional.of(2.0), atMost, Optional.of(expected)), NOW)
                .orElseThrow();
    }

    /// A bound may give no gain. A prediction is as uncertain as the figures that it scales.
    @Test
    void theLowerBoundComesFirst() {
        assertThat(gain(260.7, 173.8, 260.7, true))
                .startsWith("0 to 50 % more: 174 -> up to 261/s");
        assertThat(gain(260.7, 243.4, 278.1, false))
                .startsWith("at least 40 % more: 174 -> 243/s, mean 115 -> 85.7 ms");
        assertThat(gain(521.4, 173.8, 521.4, true))
                .startsWith("at most 3 times: 174 -> up to 521/s");
    }

    /// Other changes of this kind gave at least a part of their bound.
    @Test
    void boundWithMinimumShowsMinimum() {
        assertThat(gain(260.7, 217.4, 260.7, true)).startsWith("at least 25 % more: 174 -> 217/s");
    }

    @Test
    void rangeFromZeroIsABound() {
        assertThat(gain(226, 174, 278, false)).startsWith("0 to 60 % more: 174 -> up to 278/s");
    }

    /// Tables show the same end of the range as the sentence.
    @ParameterizedTest
    @CsvSource({
        "260.7, 173.8, 260.7, true, UPPER, 260.7",
        "260.7, 243.4, 278.1, false, LOWER, 243.4",
        "260.7, 217.4, 260.7, true, LOWER, 217.4",
        "226, 174, 278, false, UPPER, 278",
        "175, 172, 176, false, NO_GAIN, 175",
        "174, 174, 174, true, NO_GAIN, 174"
    })
    void tablesShowTheSameEnd(
            double qps, double lo, double hi, boolean atMost, GainText.End end, double qpsShown) {
        var expected = new Expected(qps, 80, 20, Optional.of(new Interval(lo, hi)));
        GainText.Shown shown =
                GainText.shown(
                                with(Optional.of(2.0), atMost, Optional.of(expected)),
                                NOW.orElseThrow())
                        .orElseThrow();

        assertThat(shown.end()).isEqualTo(end);
        assertThat(shown.qps()).isEqualTo(qpsShown);
        assertThat(shown.rtMs()).isCloseTo(80 * qps / qpsShown, within(1e-6));
    }

    /// The words may change, but the sentence must have some.
    @Test
    void namesAssumptionOfGain() {
        assertThat(gain(260.7, 243.4, 278.1, false)).contains(", if ");
        assertThat(gain(260.7, 173.8, 260.7, true)).contains(", if ");
    }

    @Test
    void omitsGainWithinNoise() {
        assertThat(gain(174, 170, 178, false)).startsWith("no more requests/s: 174 -> 174/s");
    }

    @Test
    void showsRatioOrReasonWithoutFigures() {
        assertThat(GainText.of(with(Optional.of(1.5), true, Optional.empty()), NOW))
                .contains("0 to 50 % more");
        assertThat(GainText.of(with(Optional.empty(), false, Optional.empty()), NOW))
                .contains("not predicted: why");
    }

    /// @param cores used by the service, of 2; the load generator uses 0.1
    private static Optional<Round> at(double cores) {
        Round now = NOW.orElseThrow();
        return Optional.of(
                ResultVariants.using(
                        now,
                        CpuUse.ofWholeMachine(cores, 0, 0.1, 0, 2, (cores + 0.1) / 2 * 100, 0, 0)));
    }

    private static Recommendation bound(String id, double qps) {
        var expected = new Expected(qps, 80, 20, Optional.of(new Interval(173.8, qps)));
        return new Recommendation(
                RecommendedChange.read(id, "", List.of(new Change.Code()), false),
                Sentence.of("says"),
                "how",
                Optional.of(qps / 173.8),
                Optional.of(173.8 / qps),
                true,
                "why",
                Optional.empty(),
                Optional.of(expected));
    }

    /// If the service uses half of the machine's CPU, twice the requests use all of it.
    @ParameterizedTest
    @ValueSource(strings = {"lock-shorter", "pool-double", "limit-double"})
    void namesNumberOfCoresOfCpuBound(String id) {
        assertThat(GainText.of(bound(id, 312.8), at(1.0)).orElseThrow()).contains("all 2 cores");
        assertThat(GainText.of(bound(id, 312.8), at(0.5)).orElseThrow()).doesNotContain("cores");
    }

    /// The CPU time that fewer log lines save is unknown.
    @Test
    void aChangeOfTheCpuItselfNamesNoCores() {
        assertThat(GainText.of(bound("logging-less", 347.6), at(0.9)).orElseThrow())
                .doesNotContain("cores");
    }

    /// Ids of changes whose size jdyno assumes, and the throughput that this factor gives for
    /// 173.8/s.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "lock-shorter",
                "pool-query",
                "pool-shorter",
                "pool-double",
                "limit-double",
                "downstream-halve",
                "downstream-double",
                "queries-fewer",
                "cpu-halve",
                "cores-double"
            })
    void marksGainThatRepeatsAssumedFactor(String id) {
        String circular = GainText.of(bound(id, 347.6), at(0.5)).orElseThrow();
        String further = GainText.of(bound(id, 260.7), at(0.5)).orElseThrow();

        assertThat(circular)
                .startsWith("if ")
                .contains("(assumed): up to twice: 174 -> at most 348/s, at N=20");
        assertThat(circular).doesNotContain(" times", " % more");
        assertThat(further).startsWith("if ").contains("(assumed): 0 to 50 % more: ");
    }

    /// 173.8/s with 0.5 of 2 cores, plus 0.1 for the client. At 2 / 0.6 times the throughput, all
    /// cores are in use.
    @Test
    void namesNextLimitIfCpu() {
        assertThat(GainText.of(bound("pool-query", 347.6), at(0.5)).orElseThrow())
                .contains("about 580/s");
        assertThat(GainText.of(bound("cpu-halve", 347.6), at(1.8)).orElseThrow())
                .contains("not known");
    }

    /// The throughput at saturation may be slightly below the present one.
    @Test
    void boundSlightlyBelowFactorRepeatsFactor() {
        assertThat(GainText.of(bound("pool-query", 340), at(0.5)).orElseThrow())
                .doesNotContain(" % more");
    }

    @Test
    void changeOfKnownSizeHasNoAssumption() {
        assertThat(GainText.of(bound("no-delay", 347.6), at(0.5)).orElseThrow())
                .doesNotContain("assumed")
                .contains("2 times");
    }

    /// Preventing a collapse gains more than the best load does.
    @Test
    void reportsChangeThatPreventsCollapse() {
        List<Round> rounds =
                List.of(
                        ResultVariants.round(4),
                        ResultVariants.round(12),
                        NOW.orElseThrow(),
                        ResultVariants.serving(ResultVariants.round(40), 25));
        var left =
                new Verdict.EvidenceLine("throughput-left", Sentence.of("says"), 0.14, "ratio", 0);
        RunResult collapsed = ResultVariants.withRounds(ResultVariants.with(left), rounds);
        RunResult other = ResultVariants.withRounds(ResultFixture.e1(), rounds);

        assertThat(GainText.of(bound("executor-own", 347.6), collapsed).orElseThrow())
                .startsWith("at N=40 7 times: 25 -> 174/s, if it falls no more; ");
        assertThat(GainText.of(bound("executor-larger", 347.6), collapsed).orElseThrow())
                .doesNotContain("falls");
        assertThat(GainText.of(bound("executor-own", 347.6), other).orElseThrow())
                .doesNotContain("falls");
    }
}
