package dev.jdyno.report.html;

import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import dev.jdyno.report.words.Commands;
import dev.jdyno.report.words.DownstreamText;
import dev.jdyno.report.words.GainText;
import dev.jdyno.report.words.NextLimitText;
import dev.jdyno.report.words.SettingText;
import dev.jdyno.report.words.SourceText;
import dev.jdyno.report.words.VerdictText;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The data of the first screen of the page. It has the same content as the first screen on the
/// terminal: the limit, two figures that prove it, the first recommendation, its gain, the command
/// that checks it, and the causes that are ruled out.
///
/// @param folder of the result, relative to where the run was started; empty if it is unknown
public record AnswerPage(RunResult result, Optional<Path> folder) {
    /// The meaning of the bottleneck's name, and a second limit of nearly the same height.
    public String headline() {
        SourceText sources = SourceText.of(result.recording());
        return VerdictText.headline(result.verdict().bottleneck())
                + NextLimitText.of(
                                result.verdict(), where -> sources.beside(PlaceText.named(where)))
                        .map(two -> " " + two)
                        .orElse("");
    }

    public List<String> proofs() {
        SourceText sources = SourceText.of(result.recording());
        return VerdictText.proofs(result.verdict()).stream()
                .map(EvidenceLine::says)
                .map(sources::beside)
                .toList();
    }

    public Optional<Recommendation> first() {
        return result.recommendations().stream().findFirst();
    }

    /// The heading of the first recommendation.
    public String doing() {
        return first().filter(Recommendation::isMeasurement).isPresent() ? "Next" : "Do this";
    }

    /// The setting that the first recommendation changes, with its present value and the new one.
    public Optional<String> edit() {
        return first().flatMap(r -> SettingText.edit(r, result.target())).map(AnswerPage::arrows);
    }

    /// True if the edit contains all information of the first recommendation's sentence.
    public boolean editIsEnough() {
        return edit().isPresent() && first().filter(SettingText::replacesSentence).isPresent();
    }

    /// The way to apply the first recommendation.
    public String how() {
        return first().map(Recommendation::how).orElse("");
    }

    /// A sentence on the called services: whether they served more calls without longer response
    /// times. Empty if it does not matter.
    public Optional<String> behind() {
        return DownstreamText.of(result);
    }

    public Optional<String> gain() {
        return first().flatMap(r -> GainText.of(r, result)).map(AnswerPage::arrows);
    }

    /// The text with arrows of one character, as a page shows them.
    static String arrows(String text) {
        return text.replace("->", "→");
    }

    public Optional<String> check() {
        return first().flatMap(r -> Commands.of(r, result, folder).verify());
    }

    public Optional<String> notBecauseOf() {
        List<String> all =
                VerdictText.notBecauseOf(result, SourceText.of(result.recording())::beside);
        return all.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", all));
    }
}
