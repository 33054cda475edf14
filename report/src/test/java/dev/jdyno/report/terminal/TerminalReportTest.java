package dev.jdyno.report.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.judge.GoalFixture;
import dev.jdyno.judge.ResultFixture;
import dev.jdyno.judge.ResultVariants;
import dev.jdyno.judge.Results;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.load.FailureText;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.report.Golden;
import dev.jdyno.report.LoadFixture;
import dev.jdyno.report.words.Commands;
import dev.jdyno.report.words.TextLines;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TerminalReportTest {
    private static final Optional<Path> FOLDER =
            Optional.of(Path.of("jdyno-out/2026-01-31T12-00-00-demo"));

    private final TerminalReport plain = new TerminalReport(false);

    @Test
    void verdictOfPublishedCaseMatchesGolden() throws IOException {
        Golden.assertMatches("verdict.txt", plain.verdict(ResultFixture.e1(), FOLDER));
    }

    @Test
    void emptyResultListsMissingParts() throws IOException {
        Golden.assertMatches(
                "verdict-empty.txt", plain.verdict(ResultFixture.empty(), Optional.empty()));
    }

    @Test
    void countsOmittedLinesOfHostileResult() throws IOException {
        Golden.assertMatches(
                "verdict-monstrous.txt", plain.verdict(ResultFixture.monstrous(), FOLDER));
    }

    @Test
    void namesNeighbourOfDisturbedRound() {
        assertThat(plain.round(ResultVariants.disturbed().rounds().getLast()))
                .contains("burn (pid 77) 0.98");
        assertThat(plain.round(ResultFixture.e1().rounds().getLast())).doesNotContain("disturbed");
    }

    @Test
    void showsBracketUnderGoalsOnFirstScreen() {
        assertThat(plain.verdict(GoalFixture.run(), FOLDER))
                .contains(
                        "Goal p99<100ms, errors<0.1%  good at 143/s, bad at 158/s, most likely 150/s",
                        "hard knee by p99<100ms after 243 s of load; JVM stops make 12 % of the misses");
    }

    @Test
    void marksSearchCutBeforeItsFirstRate() {
        assertThat(plain.verdict(GoalFixture.untested(), FOLDER))
                .contains(
                        "Goal p99<100ms, errors<0.1%  cut short before the first rate was driven: nothing is known")
                .doesNotContain("NaN")
                .doesNotContain("bad at");
    }

    @Test
    void printsWholeReasonForMissingKnee() {
        String why =
                "with 16 in flight 5 rounds gave 212 to 720/s, so the service does more by itself"
                        + " than the load does";

        assertThat(plain.verdict(Results.withKneeUnclear(ResultFixture.empty(), why), FOLDER))
                .contains("Knee  not found: with 16 in flight 5 rounds", "the load does\n");
    }

    /// Three curves without a knee: flat, slightly rising, and with too few loads.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "throughput is flat from concurrency 24 on, the lowest load tried",
                "315/s at N=24, 359/s at N=40: no load lies well below the knee",
                "1 closed-loop round with good requests; a curve needs at least 3"
            })
    void kneeBelowAllLoadsGivesLineWithLoadsToAdd(String why) {
        RunResult high = ResultVariants.withoutKnee(List.of());
        List<Round> rounds = high.rounds().stream().filter(r -> r.concurrency() >= 24).toList();
        RunResult below =
                Results.withKneeUnclear(
                        ResultVariants.withRounds(high, rounds), why, List.of(1, 12));

        assertThat(plain.verdict(below, FOLDER).lines())
                .contains("Knee  not found: " + why + "; Check adds N=1,12")
                .anyMatch(l -> l.contains("1,12,24,32,40"));
    }

    @Test
    void aKneeOfAWideIntervalIsNoFigure() {
        assertThat(plain.verdict(ResultVariants.withoutDeterminableKnee(), FOLDER))
                .contains(
                        "Knee  not determinable, N=1.92 to 30.8 (95 %), after 92 s of load: 16 in")
                .doesNotContain("Knee  N=", "predicted: N=");
        assertThat(plain.verdict(ResultVariants.withKnee(new Interval(8, 30)), FOLDER))
                .contains("Knee  N=20 (95 %: 8 to 30)");
    }

    /// The throughput of a window next to that of its round would be two figures for one fact.
    @Test
    void theBreakdownHasNoThroughputOfItsWindow() {
        assertThat(plain.verdict(ResultVariants.withWindowAt(101), FOLDER))
                .contains("Response-time breakdown at N=20, 115 ms")
                .doesNotContain("101/s");
    }

    /// The formulas F1 and F2 use CPU alone. If a lock limits, they are no prediction.
    @Test
    void cpuBoundIsNoPredictionOfOtherLimit() {
        RunResult e1 = ResultFixture.e1();
        assertThat(plain.verdict(e1, FOLDER)).contains("predicted: N=18.3 (-8 %) by F1");

        String text = plain.verdict(ResultFixture.e1WithAnotherLimit(), FOLDER);

        assertThat(text).contains("Knee  N=20").doesNotContain("by F1", "CPU alone");
    }

    /// The essential texts must not be truncated while the screen has space.
    @Test
    void printsWholeVerdict() {
        String says = ResultFixture.e1().verdict().says().text();

        assertThat(plain.verdict(ResultFixture.e1(), FOLDER).replaceAll("\\s+", " "))
                .contains(says)
                .contains("on-CPU time");
    }

    static Stream<RunResult> results() {
        return Stream.of(
                ResultFixture.e1(),
                LoadFixture.withGcLog(),
                LoadFixture.alone(),
                ResultFixture.small(),
                ResultFixture.empty(),
                ResultFixture.monstrous(),
                GoalFixture.run(),
                GoalFixture.untested(),
                GoalFixture.monstrous());
    }

    @ParameterizedTest
    @MethodSource("results")
    void verdictFitsScreenWithoutControlCharacters(RunResult result) {
        String text = plain.verdict(result, FOLDER);

        assertThat(text.lines()).hasSizeLessThanOrEqualTo(TerminalReport.MAX_LINES);
        assertThat(text.lines())
                .allSatisfy(l -> assertThat(l).hasSizeLessThanOrEqualTo(TextLines.WIDTH));
        assertThat(text).matches("[^\\p{Cntrl}\\p{Cf}\\n]*(\\n[^\\p{Cntrl}\\p{Cf}]*)*");
    }

    /// The bottleneck, two figures, what to do, its gain, how to check it, and what it is not.
    @ParameterizedTest
    @MethodSource("results")
    void verdictIsInFirstFourteenLines(RunResult result) {
        List<String> lines = plain.verdict(result, FOLDER).lines().toList();
        List<String> first = lines.subList(0, Math.min(FirstScreen.MAX_LINES, lines.size()));

        assertThat(first).anyMatch(l -> l.startsWith("Bottleneck"));
        assertThat(lines.stream().filter(l -> l.startsWith("  - ")).count())
                .isGreaterThanOrEqualTo(Math.min(2, result.verdict().evidence().size()));
        List<String> answers = List.of("Do this  ", "Gain     ", "Check    ", "Not because of ");
        for (String begin : answers) {
            assertThat(first.stream().filter(l -> l.startsWith(begin)).count())
                    .as(begin)
                    .isEqualTo(lines.stream().filter(l -> l.startsWith(begin)).count());
        }
        if (!result.recommendations().isEmpty()) {
            assertThat(first)
                    .anyMatch(l -> l.startsWith("Do this  "))
                    .anyMatch(l -> l.startsWith("Gain     "))
                    .anyMatch(l -> l.startsWith("Check    "));
        }
    }

    /// A truncated command cannot be run.
    @ParameterizedTest
    @MethodSource("results")
    void printsWholeCommand(RunResult result) {
        List<String> lines = plain.verdict(result, FOLDER).lines().toList();
        String check =
                lines.stream()
                        .dropWhile(l -> !l.startsWith("Check    "))
                        .takeWhile(l -> l.startsWith("Check    ") || l.startsWith("         "))
                        .map(l -> l.replaceAll(" \\\\$", " ").substring(9))
                        .map(l -> l.endsWith(" ") ? l : l + " ")
                        .collect(Collectors.joining())
                        .strip();

        assertThat(check)
                .isEqualTo(
                        result.recommendations().stream()
                                .findFirst()
                                .flatMap(r -> Commands.of(r, result, FOLDER).verify())
                                .orElse(""));
    }

    @ParameterizedTest
    @MethodSource("results")
    void coloursChangeNoLetter(RunResult result) {
        String coloured = shown(new TerminalReport(true).verdict(result, FOLDER));

        assertThat(coloured).contains("\u001b[1m");
        assertThat(coloured.replaceAll("\u001b\\[[0-9;]*m", ""))
                .isEqualTo(plain.verdict(result, FOLDER));
    }

    /// The text as it reaches the terminal.
    private static String shown(String text) {
        var shown = new StringWriter();
        TerminalWriter.over(shown, TerminalWriter.Form.TEXT).print(text);
        return shown.toString();
    }

    @Test
    void aRoundIsOneLine() {
        assertThat(plain.round(ResultFixture.e1().rounds().get(5)))
                .isEqualTo(
                        "N=16   QPS 158     RT p50 99.6  p99 132   ms  CPU 1.55/2 cores  GC 0.3/s");
    }

    @Test
    void roundShowsErrorsAndMissingMeasurements() {
        Round round = ResultFixture.small().rounds().getFirst();

        assertThat(plain.round(round).lines())
                .containsExactly(
                        "N=4    rate 40/s  QPS 39.5    RT p50 92    p99 -     ms  first byte p50 40 p99 -"
                                + " ms  CPU not seen  GC not seen  errors 1 (most: connect)  client"
                                + " saturated",
                        "    connect 1: " + FailureText.says(round.failures().getFirst()));
    }
}
