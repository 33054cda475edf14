package dev.jdyno.report.words;

import static dev.jdyno.judge.ResultVariants.round;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.judge.ResultFixture;
import dev.jdyno.judge.ResultVariants;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RoundFixture;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.PredictedChange;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.measure.verdict.WhatIf;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HighlightsTest {
    private final ThreadSamples window = ResultFixture.e1().census().getFirst();

    /// The fixture's knee is at 20. The lock of a service whose knee is at 1 is observed only at
    /// 16.
    @Test
    void showsLoadOfDiagnosticWindow() {
        var rounds = List.of(round(4), round(8), round(40));

        assertThat(Highlights.breakdownRound(ResultVariants.with(rounds, window.atThroughput(1))))
                .as("no round at the window's load: the highest")
                .contains(round(40));
        assertThat(Highlights.breakdownRound(ResultFixture.e1()).orElseThrow().concurrency())
                .as("the window's load")
                .isEqualTo(window.concurrency());
    }

    @Test
    void roundNearestToWindowRepresentsLoad() {
        Round far = ResultVariants.answered(round(20), 160, round(20).rtMs(), List.of());
        Round near = ResultVariants.answered(round(20), 173, round(20).rtMs(), List.of());
        Round between = ResultVariants.answered(round(20), 190, round(20).rtMs(), List.of());

        RunResult r =
                ResultVariants.with(
                        List.of(round(40), far, near, between, round(1)), window.atThroughput(174));

        assertThat(Highlights.breakdownRounds(r)).containsExactly(round(1), near, round(40));
        assertThat(Highlights.breakdownRound(r)).contains(near);
    }

    @Test
    void everyPartHasItsOwnExplanation() {
        assertThat(Stream.of(Cause.values()).map(c -> Highlights.means(c.key())))
                .doesNotHaveDuplicates()
                .doesNotContain(Highlights.means("unexplained"));
    }

    @Test
    void namedPlacePrecedesSumOfSmallPlaces() {
        var part = new Highlights.Part(Cause.CPU.key(), "CPU", 3);
        var elsewhere = new Breakdown.Spot(Cause.CPU, PlaceText.place(Cause.CPU, "elsewhere"), 2);
        var named =
                new Breakdown.Spot(Cause.CPU, PlaceText.place(Cause.CPU, "com.acme.Page.get"), 1);

        assertThat(
                        Highlights.where(
                                new Breakdown(Map.of(), List.of(elsewhere, named), 0),
                                part,
                                Bottleneck.CPU))
                .contains("33 % of it: com.acme.Page.get");
        assertThat(
                        Highlights.where(
                                new Breakdown(Map.of(), List.of(elsewhere), 0),
                                part,
                                Bottleneck.CPU))
                .contains("67 % of it: elsewhere");
        assertThat(
                        Highlights.where(
                                new Breakdown(Map.of(), List.of(named), 0),
                                new Highlights.Part(Cause.CPU.key(), "CPU", 1),
                                Bottleneck.CPU))
                .contains("com.acme.Page.get");
        assertThat(
                        Highlights.where(
                                new Breakdown(Map.of(), List.of(named), 0),
                                new Highlights.Part(Cause.CPU.key(), "CPU", 300),
                                Bottleneck.CPU))
                .as("0 % of it is no place")
                .isEmpty();
    }

    /// Half the machine is idle here. The service waits for its quota, not for a core.
    @Test
    void throttledThreadsDoNotCountAsRunQueue() {
        var nothing = new Breakdown(Map.of(), List.of(), 0);
        var waits = new Highlights.Part(Cause.RUN_QUEUE.key(), "run queue", 62);

        assertThat(Highlights.where(nothing, waits, Bottleneck.CPU_QUOTA))
                .isNotEqualTo(Highlights.where(nothing, waits, Bottleneck.CPU));
    }

    /// The threads are those of the named pool.
    @Test
    void aWhatIfHasTheNameOfTheVerdict() {
        assertThat(change("logging × 0.5", Bottleneck.LOGGING, "")).isEqualTo("logging × 0.5");
        assertThat(change("inner pool × 2", Bottleneck.POOL_STARVATION, "tile"))
                .isEqualTo("threads of tile × 2");
        assertThat(change("threads × 2", Bottleneck.THREAD_POOL, "http"))
                .isEqualTo("threads of http × 2");
        assertThat(change("cpu × 0.5", Bottleneck.THREAD_POOL, "http")).isEqualTo("cpu × 0.5");
    }

    private static String change(String change, Bottleneck name, String where) {
        return Highlights.change(
                new WhatIf(PredictedChange.of(change), 1, 1, 1, "", List.of()),
                new Verdict(name, where, 0.9, Sentence.of(""), List.of(), List.of()));
    }

    /// At 100 requests a second, 0.5 ms of each request are a twentieth of a core.
    @ParameterizedTest
    @CsvSource({"CPU, 0.5, 0", "CPU, 2, 1", "LOCK, 0.5, 1"})
    void omitsCpuPlaceOfFewSamples(Cause cause, double ms, int shown) {
        var breakdown =
                new Breakdown(
                        Map.of(cause, 3.0),
                        List.of(new Breakdown.Spot(cause, PlaceText.place(cause, "a.B.c"), ms)),
                        0);
        Round round = RoundFixture.round(5, 100).anatomy(breakdown).build();

        assertThat(Highlights.withPlacesSeen(round, List.of()).topN()).hasSize(shown);
    }

    /// Ten dumps may find a thread at a place by chance. In ten dumps, 0.2 cores are within the
    /// error, and 0.4 are not.
    @ParameterizedTest
    @CsvSource({"2, 0", "4, 1"})
    void omitsCpuPlaceWithinErrorOfDumps(double ms, int shown) {
        var breakdown =
                new Breakdown(
                        Map.of(Cause.CPU, 5.0),
                        List.of(
                                new Breakdown.Spot(
                                        Cause.CPU, PlaceText.place(Cause.CPU, "a.B.c"), ms)),
                        0);
        Round round = RoundFixture.round(5, 100).anatomy(breakdown).build();
        var window = new ThreadSamples(5, 100, 10, 1, List.of(), List.of(), 0, 0);

        assertThat(Highlights.withPlacesSeen(round, List.of(window)).topN()).hasSize(shown);
    }

    @ParameterizedTest
    @CsvSource({"3, 3, 1", "1, 3, 2", "3, 0.5, 2", "1, 0.5, 3"})
    void showsRemainderAboveItsError(double unexplained, double other, int shown) {
        var breakdown =
                new Breakdown(
                        Map.of(Cause.CPU, 5.0, Cause.OTHER, 1.0),
                        List.of(),
                        2,
                        Optional.of(new Breakdown.Errors(other, unexplained)));
        Round round = RoundFixture.round(5, 100).anatomy(breakdown).build();

        assertThat(Highlights.parts(round, Bottleneck.CPU)).hasSize(shown);
    }
}
