package dev.jdyno.report.words;

import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.verdict.Verdict.RunnerUp;
import java.util.Locale;

/// A bottleneck that was not named, in a sentence: it follows from the named one, is less likely,
/// or is ruled out. A bottleneck that is ruled out has no confidence.
public final class RunnerUpText {
    private RunnerUpText() {}

    public static Sentence of(RunnerUp other) {
        if (!other.possible()) {
            return Sentence.format("Not %s: %s", other.bottleneck().key(), other.whyNot());
        }
        return other.from().isPresent()
                ? Sentence.format("Also %s, which %s", name(other), reason(other))
                : Sentence.format("Less likely %s: %s", name(other), other.whyNot());
    }

    /// The name with its confidence: `cpu (confidence 0.52)`.
    public static String name(RunnerUp other) {
        return String.format(
                Locale.ROOT, "%s (confidence %.2f)", other.bottleneck().key(), other.confidence());
    }

    /// The reason without the name and its confidence, for texts that show them already.
    public static Sentence reason(RunnerUp other) {
        if (!other.possible()) {
            return other.whyNot();
        }
        return Sentence.format(
                "%s: %s",
                other.from().map(cause -> "follows from " + cause.key()).orElse("less likely"),
                other.whyNot());
    }
}
