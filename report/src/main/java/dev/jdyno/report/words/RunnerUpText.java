package dev.jdyno.report.words;

import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.verdict.Verdict.RunnerUp;
import java.util.Locale;

/// A name that was not given, in a sentence: what follows from the one that was, what is less
/// likely, or what is ruled out. Only the first two may be true as well, so only they have a
/// confidence.
public final class RunnerUpText {
    private RunnerUpText() {}

    public static Sentence of(RunnerUp other) {
        String name = other.bottleneck().key();
        String sure = String.format(Locale.ROOT, " (confidence %.2f)", other.confidence());
        if (!other.possible()) {
            return Sentence.format("Not %s: %s", name, other.whyNot());
        }
        return other.from().isPresent()
                ? Sentence.format("Also %s%s, which %s", name, sure, reason(other))
                : Sentence.format("Less likely %s%s: %s", name, sure, other.whyNot());
    }

    /// For where the name and its confidence stand beside it.
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
