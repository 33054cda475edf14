package dev.jdyno.diagnose.evidence;

import dev.jdyno.measure.text.Sentence;

/// The statement of a rule about its bottleneck: `claim: reason`.
///
/// @param claim the beginning of the sentence, which names the bottleneck: `The thread pool is the
///   bottleneck`; empty if the reason is a complete sentence
/// @param reason the reason for the claim. On its own, it is also used as a reason against another
///   bottleneck.
public record Statement(String claim, Sentence reason) {
    /// @param format format of the reason, as for {@link String#format}
    public static Statement of(String claim, String format, Object... values) {
        return new Statement(claim, Sentence.format(format, values));
    }

    /// A sentence that names the bottleneck and cannot be split into claim and reason.
    public static Statement whole(CharSequence sentence) {
        return new Statement("", Sentence.of(sentence));
    }

    /// @param more text that follows the reason
    public Statement and(CharSequence more) {
        return new Statement(claim, reason.and(more));
    }

    public Sentence text() {
        return claim.isEmpty() ? reason : Sentence.format("%s: %s", claim, reason);
    }
}
