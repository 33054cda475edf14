package dev.jdyno.report.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.judge.GoalFixture;
import dev.jdyno.judge.ResultFixture;
import dev.jdyno.judge.ResultVariants;
import dev.jdyno.judge.Results;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.Latency;
import dev.jdyno.measure.verdict.Knee;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class ResultChartsTest {
    @Test
    void predictedThroughputIsFlatBeyondKnee() {
        var line = predicted(ResultCharts.throughput(ResultFixture.e1()));

        assertThat(y(line, 0)).isZero();
        assertThat(y(line, 4)).isCloseTo(182.5 * 4 / 18.3, within(1e-9));
        assertThat(y(line, 18.3)).isEqualTo(182.5);
        assertThat(y(line, 40)).isEqualTo(182.5);
    }

    @Test
    void predictedResponseTimeGrowsBeyondKnee() {
        var line = predicted(ResultCharts.responseTime(ResultFixture.e1()));

        double base = 18.3 / 182.5 * 1000;
        assertThat(y(line, 1)).isCloseTo(base, within(1e-9));
        assertThat(y(line, 40)).isCloseTo(base * 40 / 18.3, within(1e-9));
    }

    /// Kept and omitted disturbed rounds are two series next to the undisturbed rounds.
    @Test
    void disturbedRoundsAreASeriesOfTheirOwn() {
        RunResult r = ResultVariants.disturbed();

        var series = ResultCharts.throughput(r).series();

        assertThat(series)
                .filteredOn(s -> s.name().equals("disturbed by others"))
                .singleElement()
                .satisfies(s -> assertThat(s.points()).hasSize(2));
        assertThat(series)
                .filteredOn(s -> s.name().equals("measured"))
                .singleElement()
                .satisfies(s -> assertThat(s.points()).hasSize(r.rounds().size() - 1));
        assertThat(ResultCharts.throughput(ResultFixture.e1()).series())
                .noneMatch(s -> s.name().equals("disturbed by others"));
    }

    /// The formulas F1 and F2 use CPU alone, so they predict nothing for another limit.
    @Test
    void drawsFormulaLineOnlyIfCpuLimits() {
        assertThat(ResultCharts.throughput(ResultFixture.e1()).series())
                .anyMatch(s -> s.name().equals("predicted"));
        assertThat(ResultCharts.throughput(ResultFixture.e1WithAnotherLimit()).series())
                .noneMatch(s -> s.name().equals("predicted"));
    }

    @Test
    void axesEndAtMeasuredPoints() {
        RunResult r = ResultFixture.e1();
        double max = r.rounds().stream().mapToDouble(x -> x.qpsCi95().hi()).max().orElseThrow();
        double slowest = r.rounds().stream().mapToDouble(x -> x.rtMs().p99()).max().orElseThrow();

        assertThat(ResultCharts.throughput(r).y().to()).isBetween(max, 1.2 * max);
        assertThat(ResultCharts.responseTime(r).y().to()).isBetween(slowest, 1.2 * slowest);
    }

    /// The response time of a model is a mean.
    @Test
    void neverShowsMedianNextToMean() {
        assertThat(ResultCharts.responseTime(ResultFixture.e1()).series())
                .extracting(Chart.Series::name)
                .contains("mean", "p99", "predicted")
                .doesNotContain("p50");
    }

    @Test
    void throughputHasIntervalsAndKneeHasBand() {
        var chart = ResultCharts.throughput(ResultFixture.e1());

        assertThat(chart.series().getLast().points())
                .hasSize(10)
                .allMatch(p -> p.interval().isPresent());
        assertThat(chart.marks())
                .containsExactly(new Chart.Mark(20, new Interval(18.4, 22.1), "knee 20", false));
    }

    @Test
    void omitsKneeBeyondRoundsAndClipsOpenInterval() {
        var r = ResultFixture.e1();

        var endless = withKnee(r, new Interval(15, Double.POSITIVE_INFINITY), 20);
        var beyond = withKnee(r, new Interval(90, 110), 100);

        assertThat(ResultCharts.responseTime(endless).marks())
                .containsExactly(
                        new Chart.Mark(20, new Interval(15, 40), "knee, not determinable", true));
        assertThat(ResultCharts.throughput(beyond).marks()).isEmpty();
    }

    @Test
    void chartOfMissesShowsBoundsGoalAndBracket() {
        var chart = ResultCharts.misses(GoalFixture.knee());

        assertThat(chart.series())
                .extracting(Chart.Series::name)
                .containsExactly("allowed", "missed");
        assertThat(chart.series().getFirst().points()).allMatch(p -> p.y() == 1);
        assertThat(chart.series().getLast().points())
                .extracting(Chart.Point::x)
                .containsExactly(140.0, 142.5, 157.5);
        assertThat(chart.marks())
                .containsExactly(
                        new Chart.Mark(149.8, new Interval(142.5, 157.5), "knee 150/s", true));
    }

    @Test
    void repeatedLoadHasNoLineBetweenPoints() {
        var r = ResultFixture.e1();
        var twice = withRounds(r, List.of(r.rounds().get(2), r.rounds().get(3), r.rounds().get(2)));

        assertThat(ResultCharts.throughput(r).series().getLast().style())
                .isEqualTo(Chart.Style.POINTS);
        assertThat(ResultCharts.throughput(twice).series().getLast().style())
                .isEqualTo(Chart.Style.SCATTER);
    }

    @Test
    void drawsOpenRoundsOverRateWithoutPrediction() {
        var r = ResultFixture.small();
        var open = withRounds(r, List.of(r.rounds().getFirst()));

        var chart = ResultCharts.throughput(open);

        assertThat(chart.x().label()).isEqualTo("intended rate, 1/s");
        assertThat(chart.series()).hasSize(1);
        assertThat(chart.series().getFirst().points().getFirst().x()).isEqualTo(40);
        assertThat(chart.marks()).isEmpty();
    }

    @Test
    void aTailFarAboveTheMedianGetsALogarithmicAxis() {
        var r = ResultFixture.e1();

        assertThat(ResultCharts.responseTime(r).yLog()).isFalse();
        assertThat(ResultCharts.responseTime(withRounds(r, slowLast(r.rounds()))).yLog()).isTrue();
    }

    @Test
    void dataStaysInScriptElementUnchanged() {
        String evil = "</script><b>&\u2028";
        var chart =
                Chart.of(
                        Chart.X.linear(evil, true),
                        Chart.Y.fromZero("y", ""),
                        List.of(
                                new Chart.Series(
                                        evil,
                                        Chart.Style.DOTS,
                                        "--measured",
                                        List.of(
                                                new Chart.Point(1, 2),
                                                new Chart.Point(Double.POSITIVE_INFINITY, 3)))));

        String json = chart.json();

        assertThat(json).doesNotContain("<", ">", "&", "\u2028");
        var tree = JsonMapper.shared().readTree(json);
        assertThat(tree.at("/x/label").stringValue()).isEqualTo(evil);
        assertThat(tree.at("/series/0/x").size()).as("an infinite point is not drawn").isOne();
    }

    private static List<Round> slowLast(List<Round> rounds) {
        var last = rounds.getLast();
        var slow =
                new Round(
                        last.concurrency(),
                        Optional.empty(),
                        last.seconds(),
                        last.qps(),
                        last.qpsCi95(),
                        last.requests(),
                        0,
                        last.errorKinds(),
                        last.bytesRead(),
                        new Latency(200, 180, 900, 30_000, 31_000, 32_000),
                        last.client(),
                        last.cpu(),
                        last.threads(),
                        last.gc(),
                        last.anatomy(),
                        last.slices());
        return List.of(rounds.getFirst(), slow);
    }

    private static RunResult withRounds(RunResult r, List<Round> rounds) {
        return with(r, rounds, r.knee());
    }

    private static RunResult withKnee(RunResult r, Interval ci95, double concurrency) {
        var knee = new Knee(concurrency, ci95, 175, 114, "by hand", 92, Optional.empty());
        return with(r, r.rounds(), Optional.of(knee));
    }

    private static RunResult with(RunResult r, List<Round> rounds, Optional<Knee> knee) {
        return Results.of(
                r.jdyno(),
                new Recording(
                        r.machine(),
                        r.target(),
                        Optional.empty(),
                        rounds,
                        r.census(),
                        List.of(),
                        r.partial()),
                Optional.empty(),
                knee,
                r.demands(),
                r.verdict(),
                r.whatIf(),
                r.recommendations(),
                r.validity());
    }

    private static Chart.Series predicted(Chart chart) {
        return chart.series().stream()
                .filter(s -> s.name().equals("predicted"))
                .findFirst()
                .orElseThrow();
    }

    private static double y(Chart.Series line, double x) {
        return line.points().stream().filter(p -> p.x() == x).findFirst().orElseThrow().y();
    }
}
