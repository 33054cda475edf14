package dev.jdyno.report.html;

import static dev.jdyno.judge.ResultVariants.round;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import dev.jdyno.judge.ResultFixture;
import dev.jdyno.judge.ResultVariants;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BreakdownPageTest {
    private static final ThreadSamples AT_20 = ResultFixture.e1().census().getFirst();

    /// A request of 115 ms: most time is a wait for a lock, and tasks overlap with the wait for
    /// them.
    private static final Breakdown LOCKED =
            new Breakdown(
                    Map.of(Cause.CPU, 5.0, Cause.LOCK, 80.0, Cause.FUTURE, 20.0),
                    List.of(
                            new Breakdown.Spot(
                                    Cause.FUTURE, PlaceText.place(Cause.FUTURE, "task a"), 30),
                            new Breakdown.Spot(
                                    Cause.LOCK, PlaceText.place(Cause.LOCK, "com.acme.Lock"), 80),
                            new Breakdown.Spot(
                                    Cause.FUTURE, PlaceText.place(Cause.FUTURE, "task b"), 10),
                            new Breakdown.Spot(
                                    Cause.CPU, PlaceText.place(Cause.CPU, "com.acme.Page.get"), 2),
                            new Breakdown.Spot(
                                    Cause.CPU, PlaceText.place(Cause.CPU, "com.acme.Page.put"), 0)),
                    round(20).rtMs().mean() - 105);

    private static BreakdownPage page(Round... rounds) {
        return new BreakdownPage(ResultVariants.with(List.of(rounds), AT_20));
    }

    @Test
    void showsLoadWithDiagnosticWindowFirst() {
        BreakdownPage page = page(round(1), round(20).withBreakdown(LOCKED), round(40));

        assertThat(page.bars().stream().map(b -> b.round().concurrency()))
                .containsExactly(20, 1, 40);
        assertThat(page.leads())
                .contains(
                        "At N = 20 a request takes 115 ms: lock 70 %, future 17 %, outside threads 9 %, CPU 4 %.");
        assertThat(page.round()).contains(page.bars().getFirst().round());
    }

    @Test
    void placesAddUpToTheRequestAndNoneReadsZero() {
        List<BreakdownPage.Place> places = page(round(20).withBreakdown(LOCKED)).places();

        assertThat(places.stream().map(BreakdownPage.Place::where))
                .containsExactly(
                        "com.acme.Lock",
                        "task a",
                        "",
                        "task b",
                        "other places",
                        "com.acme.Page.get");
        assertThat(places.stream().map(BreakdownPage.Place::cause))
                .containsExactly("lock", "future", "outside threads", "future", "CPU", "CPU");
        assertThat(places.stream().mapToDouble(BreakdownPage.Place::ms).sum())
                .isCloseTo(round(20).rtMs().mean(), offset(1e-9));
    }

    @Test
    void marksPartsThatDoNotAddUp() {
        var more = new Breakdown(Map.of(Cause.CPU, 150.0), List.of(), -35);

        assertThat(page(round(20).withBreakdown(more)).leads().orElseThrow())
                .endsWith(
                        "CPU 100 %. Its parts were counted in a window of their own and sum to 150 ms.");
    }

    @Test
    void drawsOneBarPerLoad() {
        Round again = ResultVariants.answered(round(1), 9, round(1).rtMs(), List.of());

        assertThat(page(round(1), again, round(20)).bars()).hasSize(2);
    }

    @Test
    void showsStandstillShareNextToBar() {
        var stopped = new Breakdown(Map.of(Cause.CPU, 66.0, Cause.SAFEPOINT, 34.0), List.of(), 0);
        Round still = ResultVariants.stopped(round(20), 0.34).withBreakdown(stopped);
        BreakdownPage.Bar bar = page(still).bars().getFirst();

        assertThat(bar.stopped().orElseThrow())
                .isCloseTo(0.34 + still.gc().orElseThrow().pauseShare(), offset(1e-9));
        assertThat(bar.stoppedFor()).isEqualTo("collector 0 %, all else 34 %");
        assertThat(HtmlReport.render(ResultVariants.with(List.of(still), AT_20), List.of()))
                .contains("title=\"collector 0 %, all else 34 %\"")
                .contains("</i>other stops</li>");
        assertThat(HtmlReport.render(ResultFixture.e1(), List.of()))
                .contains("waits to be given a thread, or on the network (outside threads)");
    }
}
