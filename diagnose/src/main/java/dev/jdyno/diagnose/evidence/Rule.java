package dev.jdyno.diagnose.evidence;

import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.verdict.Bottleneck;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// One bottleneck and all that is known of it: what finds it, what follows from it, what looks like
/// it, what helps, and which experiment proves it. Its limits are named constants of the rule;
/// every method is a pure function.
public interface Rule {
    Bottleneck bottleneck();

    Finding evaluate(Evidence evidence);

    /// What this one, when it is found, brings about by itself: threads that a collector or a
    /// compiler keeps off the cores make the CPU short, an event loop that waits for a downstream
    /// makes threads wait there. Such a finding is a symptom and yields to its cause.
    default Set<Bottleneck> bringsAbout() {
        return Set.of();
    }

    /// A name whose figures are nearly the same as this one's, and which no measurement rules out.
    ///
    /// @param found what each other rule found in the same evidence
    /// @return that name and the reason, as the end of a sentence
    default Optional<Sentence> notRuledOut(Evidence evidence, Function<Bottleneck, Finding> found) {
        return Optional.empty();
    }

    /// What helps when this is the verdict, in the order in which one would try it.
    RecommendationList recommendations(Situation situation);

    /// The experiments of `--prove`, each with the result that it must show when this verdict is
    /// right; or why there is none.
    void challenge(Experiments experiments);
}
