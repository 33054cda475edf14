package dev.jdyno.report.html;

import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import dev.jdyno.report.words.Commands;
import dev.jdyno.report.words.GainText;
import dev.jdyno.report.words.SettingText;
import dev.jdyno.report.words.SourceText;
import dev.jdyno.report.words.VerdictText;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// What the first screen of the page shows, the same as that of the terminal: what limits, two
/// figures that prove it, what to do first, what that gives, how to check it, and what it is not.
///
/// @param folder of the result, as seen from where the run was started; empty where it is not known
public record AnswerPage(RunResult result, Optional<Path> folder) {
    public String headline() {
        return VerdictText.headline(result.verdict().bottleneck());
    }

    public List<String> proofs() {
        SourceText sources = SourceText.of(result.insight());
        return VerdictText.proofs(result.verdict()).stream()
                .map(EvidenceLine::says)
                .map(sources::beside)
                .toList();
    }

    public Optional<Recommendation> first() {
        return result.prescriptions().stream().findFirst();
    }

    /// The heading of what to do first.
    public String doing() {
        return first().filter(Recommendation::isMeasurement).isPresent() ? "Next" : "Do this";
    }

    /// How the first recommendation is made.
    public String how() {
        return first().map(r -> SettingText.how(r, result.target())).orElse("");
    }

    public Optional<String> gain() {
        return first().flatMap(r -> GainText.of(r, result)).map(gain -> gain.replace("->", "→"));
    }

    public Optional<String> check() {
        return first().flatMap(r -> Commands.of(r, result, folder).verify());
    }

    public Optional<String> notBecauseOf() {
        List<String> all =
                VerdictText.notBecauseOf(result, SourceText.of(result.insight())::beside);
        return all.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", all));
    }
}
