package dev.jdyno.diagnose.evidence;

import dev.jdyno.measure.text.Sentence;

/// What a rule says of the bottleneck that it names: `claim: reason`.
///
/// @param claim the beginning of the sentence, which names it: `The thread pool is the bottleneck`;
///   empty where the reason is a sentence that needs none
/// @param reason what speaks for it. By itself it stands among the reasons against another name
public record Statement(String claim, Sentence reason) {
    /// @param format of the reason, as {@link String#format}
    public static Statement of(String claim, String format, Object... values) {
        return new Statement(claim, Sentence.format(format, values));
    }

    /// A sentence that names the bottleneck and cannot be taken apart.
    public static Statement whole(CharSequence sentence) {
        return new Statement("", Sentence.of(sentence));
    }

    /// @param more follows the reason
    public Statement and(CharSequence more) {
        return new Statement(claim, reason.and(more));
    }

    public Sentence text() {
        return claim.isEmpty() ? reason : Sentence.format("%s: %s", claim, reason);
    }
}
