package dev.jdyno.diagnose;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Experiments;
import dev.jdyno.measure.Challenge;
import dev.jdyno.measure.verdict.Verdict;
import java.util.List;

/// The experiments that distinguish a verdict from its rivals, with the result that each must show
/// if the verdict is right.
///
/// @param wanted the experiments, the most conclusive first
/// @param none reasons why some or all experiments are not possible; empty if all are possible
public record Challenges(List<Challenge> wanted, List<String> none) {
    public Challenges {
        wanted = List.copyOf(wanted);
        none = List.copyOf(none);
    }

    /// @param cores the number of cores that the target may use
    public static Challenges of(Verdict verdict, Evidence evidence, double cores) {
        var experiments = new Experiments(evidence, cores);
        Rules.of(verdict.bottleneck())
                .ifPresentOrElse(
                        rule -> rule.challenge(experiments),
                        () -> experiments.not("there is no verdict to put to the test"));
        return new Challenges(experiments.wanted(), experiments.none());
    }
}
