package dev.jdyno.report.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.judge.GoalFixture;
import dev.jdyno.judge.ResultFixture;
import dev.jdyno.judge.ResultVariants;
import dev.jdyno.judge.Results;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Demand;
import dev.jdyno.measure.verdict.Validity;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.report.InOrder;
import dev.jdyno.report.LoadFixture;
import dev.jdyno.report.terminal.TerminalReport;
import dev.jdyno.report.words.Figures;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HtmlReportTest {
    private static final Pattern RUN_SCRIPT = Pattern.compile("(?s)<script>(.*?)</script>");
    private static final Pattern DATA_SCRIPT =
            Pattern.compile("(?s)<script type=\"application/json\">(.*?)</script>");

    @TempDir Path folder;

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

    @Test
    void marksSearchCutBeforeItsFirstRate() {
        String page = HtmlReport.render(GoalFixture.untested(), List.of());

        assertThat(page)
                .contains("How much load keeps p99&lt;100ms, errors&lt;0.1%")
                .contains("cut short before the first rate was driven: nothing is known.")
                .doesNotContain("NaN")
                .doesNotContain("Most likely");
    }

    @Test
    void demandShowsNumberOfRoundsOfItsInterval() {
        assertThat(HtmlReport.render(ResultFixture.e1(), List.of()))
                .contains("9.6–10.1 (3 rounds)");
        assertThat(HtmlReport.render(ResultFixture.monstrous(), List.of()))
                .contains("not known (1 round)");
    }

    @Test
    void aKneeOfAWideIntervalIsNoFigureOnThePage() {
        assertThat(HtmlReport.render(ResultVariants.withoutDeterminableKnee(), List.of()))
                .contains("not determinable, 95 %: 1.92–30.8: 16 in flight gave 212 to 720/s")
                .doesNotContain("</abbr>: <abbr title=\"N");
    }

    @Test
    void marksDisturbedRoundWithNeighbour() {
        String page = HtmlReport.render(ResultVariants.disturbed(), List.of());

        assertThat(page).contains("burn (pid 77) 0.98").contains("class=\"left-out\"");
        assertThat(HtmlReport.render(ResultFixture.e1(), List.of()))
                .doesNotContain("class=\"left-out\"");
    }

    @Test
    void moreThanAllOfAResourceIsExplained() {
        var cpu = new Demand("cpu", 2.28, Optional.empty(), 4, 1.96, 1.177);

        assertThat(HtmlReport.render(ResultVariants.withDemand(cpu), List.of()))
                .contains(
                        "all (118 %)",
                        "More than 100 % used: a request took more of the resource below");
        assertThat(HtmlReport.render(ResultFixture.e1(), List.of()))
                .doesNotContain("More than 100 % used");
    }

    @Test
    void pageShowsVerdictEvidenceKneePredictionsAndRounds() {
        String page = HtmlReport.render(ResultFixture.e1(), List.of());

        assertThat(page)
                .contains("<title>cpu · demo · jdyno</title>")
                .contains("<p class=\"culprit\">cpu</p>")
                .contains("20 requests at a time take 1.71 of the 1.87 cores")
                .contains("95 %: 18.4–22.1")
                .contains("183/s by <abbr", "(-8 % and +4 % against measured)")
                .contains("<b>0.93</b></td><td class=\"n\">0.85</td><td>of cores</td>")
                .contains("it is waited for, not used up")
                .contains("CPU per request x 0.5")
                .contains("server.tomcat.max-threads=24")
                .contains("waited only")
                .contains("CPU per request 9.80 ms is from 3 rounds")
                .contains("the client took 0.11 of them")
                .contains("perf_events: kernel.perf_event_paranoid is 3");
        assertThat(page.split("<tr class=\"knee\">"))
                .as("one round in the knee's interval")
                .hasSize(2);
        assertThat(page.split("<td class=\"stack\">")).as("one bar a round").hasSize(11);
    }

    @Test
    void confidenceShowsHitRateOfSimilarVerdicts() {
        assertThat(HtmlReport.render(ResultFixture.e1(), List.of()))
                .contains("0.90 and more: in tests with known faults ");
        assertThat(HtmlReport.render(ResultFixture.monstrous(), List.of()))
                .contains("below 0.80: a hint");
    }

    /// A place of 12,345 bytes has 62 % of the samples. The counters of the round give 310,000
    /// bytes a request.
    @Test
    void sizesOfAllocationsComeFromTheCounters() {
        assertThat(HtmlReport.render(ResultFixture.e1(), List.of()))
                .contains(Figures.bytes(0.62 * 310_000))
                .doesNotContain(Figures.bytes(12_345));
    }

    @Test
    void marksInvalidAndPartialResultOnTop() {
        String page = HtmlReport.render(ResultFixture.empty(), List.of());

        assertThat(page)
                .has(
                        InOrder.of(
                                "role=\"alert\"",
                                "Not valid: do not use these figures.",
                                "Partial: the run was interrupted",
                                "no round was finished",
                                "The bottleneck, if these figures held",
                                "<p class=\"culprit\">unknown</p>",
                                "Not seen: the target gave no thread dumps.",
                                "not found."));
        assertThat(page).doesNotContain("<figure data-chart=");
    }

    @Test
    void explainsMissingKnee() {
        RunResult none =
                Results.withKneeUnclear(ResultFixture.empty(), "throughput was still rising");

        assertThat(HtmlReport.render(none, List.of()))
                .contains("not found: throughput was still rising");
        assertThat(new TerminalReport(false).verdict(none, Optional.empty()))
                .contains("Knee  not found: throughput was still rising\n");
    }

    @Test
    void headingOfGainsIsOnlyAboveChanges() {
        RunResult known = ResultFixture.e1();
        RunResult noChange = ResultVariants.withoutKnee(known.demands());

        assertThat(HtmlReport.render(known, List.of()))
                .contains("Predicted effect of changes", "Used at the knee")
                .contains("Rounds inside the knee's interval are marked");
        assertThat(HtmlReport.render(noChange, List.of()))
                .contains("What a request takes", "Used at the best throughput, N = 24")
                .doesNotContain("Predicted effect of changes")
                .doesNotContain("Predicted by the formula")
                .doesNotContain("at the knee<")
                .doesNotContain("inside the knee");
        assertThat(HtmlReport.render(ResultVariants.withoutKnee(List.of()), List.of()))
                .doesNotContain("id=\"whatif\"");
    }

    @Test
    void separatesNameOfRemarkFromSentence() {
        var remark = new Validity.Warning("warmup", "give a longer --warmup than 5s", false);

        assertThat(HtmlReport.render(ResultVariants.with(remark), List.of()))
                .contains("give a longer --warmup than 5s (<code>warmup</code>)</li>");
    }

    @Test
    void evidenceShowsBytesInUnitsOfSentenceAndOmitsMissingLimit() {
        RunResult result =
                ResultVariants.with(
                        new Verdict.EvidenceLine(
                                "promotion",
                                Sentence.of("promotes 280 MiB/s"),
                                293_638_665,
                                "bytes/s",
                                0),
                        new Verdict.EvidenceLine(
                                "survivors",
                                Sentence.of("survivors hold 2.00 MiB"),
                                2 << 20,
                                "bytes",
                                1 << 20));

        assertThat(HtmlReport.render(result, List.of()))
                .contains("<b>280 MiB/s</b></td><td class=\"n\">–</td><td></td>")
                .contains("<b>2.00 MiB</b></td><td class=\"n\">1.00 MiB</td><td></td>");
    }

    /// Next to the throughput of its round, it would be a second figure for the same fact.
    @Test
    void barsDoNotShowThroughputOfWindow() {
        assertThat(HtmlReport.render(ResultVariants.withWindowAt(101), List.of()))
                .contains("At N = 20 a request takes 115 ms")
                .doesNotContain("101/s");
    }

    /// The bottleneck, two figures, what to do, its gain, how to check it, and what it is not.
    @Test
    void verdictComesFirst() {
        assertThat(HtmlReport.render(ResultFixture.e1(), List.of()))
                .has(
                        InOrder.of(
                                "<p class=\"culprit\">cpu</p>",
                                "<p class=\"says\">The service uses all of the CPU",
                                "The service used 0.93 of the cores",
                                "A request waits 17.5 ms for a core",
                                "<dt>Do this</dt>",
                                "<dt>Gain</dt>",
                                "<dt>Check</dt>",
                                "<dt>Not because of</dt>",
                                "the client took 0.11 of them",
                                "20 requests at a time take 1.71 of the 1.87 cores",
                                "<h2 id=\"anatomy\">",
                                "<figure data-chart=\"throughput\">",
                                "<h2 id=\"recommendations\">",
                                "<h2 id=\"rounds\">"));
    }

    @Test
    void onlyLatencyOfAnOpenLoadCountsFromTheIntendedStart() {
        RunResult closed = ResultFixture.e1();

        assertThat(HtmlReport.render(closed, List.of()))
                .contains("Closed loop: a stop of the service delays the next requests")
                .doesNotContain("intended start");
        assertThat(HtmlReport.render(ResultFixture.small(), List.of()))
                .contains(
                        "Latency of rounds at a rate counts from the intended start. In the"
                                + " others");
    }

    @ParameterizedTest
    @MethodSource("results")
    void pageLoadsNothing(RunResult result) {
        String page = HtmlReport.render(result, List.of());

        assertThat(page).doesNotContainPattern("<(link|iframe|object|embed|img|base)\\b");
        assertThat(page).doesNotContainPattern("<script[^>]+src|@import|url\\(|href=\"[a-z]+:");
        assertThat(page).contains("default-src &#39;none&#39;");
    }

    @ParameterizedTest
    @MethodSource("results")
    void allowsOnlyOwnScripts(RunResult result) throws NoSuchAlgorithmException {
        String page = HtmlReport.render(result, List.of());

        List<String> scripts = RUN_SCRIPT.matcher(page).results().map(m -> m.group(1)).toList();

        assertThat(scripts).hasSize(3);
        for (String script : scripts) {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(script.getBytes(StandardCharsets.UTF_8));
            assertThat(page).contains("sha256-" + Base64.getEncoder().encodeToString(hash));
        }
    }

    @Test
    void hostileTextsAreShownAndNotObeyed() {
        String page = HtmlReport.render(ResultFixture.monstrous(), List.of());

        assertThat(page).doesNotContain("<script>document").doesNotContain("<img");
        assertThat(page).matches(p -> p.codePoints().allMatch(Printable::isInText));
        assertThat(page).contains("&lt;img src=x onerror");
        assertThat(DATA_SCRIPT.matcher(page).results().map(MatchResult::group))
                .hasSize(2)
                .allSatisfy(s -> assertThat(s.split("<")).hasSize(3));
    }

    @Test
    void linksOnlyFilesNextToPage() throws IOException {
        Files.writeString(folder.resolve("result.json"), "{}");
        Files.writeString(folder.resolve("gc.log"), "x".repeat(2048));

        HtmlReport.write(ResultFixture.e1(), folder.resolve("report.html"));

        assertThat(Files.readString(folder.resolve("report.html")))
                .contains("<a href=\"result.json\">", "<a href=\"gc.log\">", "2.00 KiB")
                .doesNotContain("href=\"recording.jfr\"");
    }

    @Test
    void missingFolderIsUserError() {
        Path file = folder.resolve("none/report.html");

        assertThatThrownBy(() -> HtmlReport.write(ResultFixture.e1(), file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("cannot write");
    }
}
