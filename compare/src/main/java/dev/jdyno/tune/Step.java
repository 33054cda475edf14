package dev.jdyno.tune;

import dev.jdyno.measure.verdict.Change;
import java.util.List;

/// The next measurement of a tuning.
public sealed interface Step {
    /// Describes the step in the journal by the ids of its changes.
    default String about() {
        return switch (this) {
            case Look(Candidate candidate) -> "look: " + Changes.ids(candidate.changes());
            case LookAtOnce(List<Candidate> candidates) -> "look at once: " + ids(candidates);
            case Prove(Candidate candidate) -> "prove: " + Changes.ids(candidate.changes());
            case ProveTogether(List<Candidate> candidates) -> "prove together: " + ids(candidates);
            case TakeOut(Change.Launch change) -> "take out: " + change.id();
            case Confirm(List<Change.Launch> changes) -> "confirm: " + Changes.ids(changes);
        };
    }

    private static String ids(List<Candidate> candidates) {
        return Changes.ids(candidates.stream().flatMap(c -> c.changes().stream()).toList());
    }

    /// A look: one start of both variants.
    record Look(Candidate candidate) implements Step {}

    /// A look at several candidates: one start of each and one of the present service, all at once.
    record LookAtOnce(List<Candidate> candidates) implements Step {
        public LookAtOnce {
            candidates = List.copyOf(candidates);
        }
    }

    /// A comparison: several starts, until it is decided.
    record Prove(Candidate candidate) implements Step {}

    /// A comparison of several candidates together, and of all but each of them.
    record ProveTogether(List<Candidate> candidates) implements Step {
        public ProveTogether {
            candidates = List.copyOf(candidates);
        }
    }

    record TakeOut(Change.Launch change) implements Step {}

    record Confirm(List<Change.Launch> changes) implements Step {}
}
