package dev.jdyno.diagnose.evidence;

import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.verdict.Bottleneck;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// One bottleneck: how to find it, what follows from it, which other one looks like it, what helps,
/// and which experiment proves it. Its limits are named constants of the rule. Every method is a
/// pure function.
public interface Rule {
    Bottleneck bottleneck();

    Finding evaluate(Evidence evidence);

    /// Returns the bottlenecks that this one causes. Threads that a collector or a compiler keeps
    /// off the cores make the CPU short; an event loop that waits for a downstream makes threads
    /// wait there. A finding of such a bottleneck is a symptom and yields to its cause.
    default Set<Bottleneck> bringsAbout() {
        return Set.of();
    }

    /// Returns a bottleneck whose figures are nearly the same as this one's, and that no
    /// measurement rules out.
    ///
    /// @param found the finding of each other rule on the same evidence
    /// @return that name and the reason, as the end of a sentence
    default Optional<Sentence> notRuledOut(Evidence evidence, Function<Bottleneck, Finding> found) {
        return Optional.empty();
    }

    /// Returns what helps when this is the verdict, in the order in which to try it.
    RecommendationList recommendations(Situation situation);

    /// Adds the experiments of `--prove`, each with the result that it must show if this verdict is
    /// right, or the reason why there is none.
    void challenge(Experiments experiments);
}
