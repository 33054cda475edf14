package dev.jdyno.diagnose.evidence;

import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.verdict.Bottleneck;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// The rule for one bottleneck. It decides whether the bottleneck is present, and gives its
/// consequences, a similar bottleneck, recommendations, and experiments that prove it. Its limits
/// are named constants of the rule. Every method is a pure function.
public interface Rule {
    Bottleneck bottleneck();

    Finding evaluate(Evidence evidence);

    /// Returns the bottlenecks that this one causes. Examples: a collector or compiler uses cores
    /// and so causes a CPU shortage; an event loop that waits for a downstream causes threads to
    /// wait there. A finding of a caused bottleneck is a symptom, and its cause takes precedence.
    default Set<Bottleneck> bringsAbout() {
        return Set.of();
    }

    /// Returns a bottleneck whose figures are nearly the same as this one's, and that no
    /// measurement rules out.
    ///
    /// @param found the finding of each other rule on the same evidence
    /// @return the name of that bottleneck and the reason, as the end of a sentence
    default Optional<Sentence> notRuledOut(Evidence evidence, Function<Bottleneck, Finding> found) {
        return Optional.empty();
    }

    /// Returns the recommendations for the case that this bottleneck is the verdict, in the order
    /// in which to try them.
    RecommendationList recommendations(Situation situation);

    /// Adds the experiments of `--prove`, each with the result that it must show if this verdict is
    /// right, or the reason why no experiment is possible.
    void challenge(Experiments experiments);
}
