package dev.jdyno.tune;

import dev.jdyno.measure.verdict.Change;
import java.util.List;

/// The next measurement of a tuning.
public sealed interface Step {
    /// Describes the step in the journal by the ids of its changes.
    default String about() {
        return switch (this) {
            case Look(Candidate candidate) -> "look: " + Changes.ids(candidate.changes());
            case Prove(Candidate candidate) -> "prove: " + Changes.ids(candidate.changes());
            case TakeOut(Change.Launch change) -> "take out: " + change.id();
            case Confirm(List<Change.Launch> changes) -> "confirm: " + Changes.ids(changes);
        };
    }

    /// A look: one start of both variants.
    record Look(Candidate candidate) implements Step {}

    /// A comparison: several starts, until it is decided.
    record Prove(Candidate candidate) implements Step {}

    record TakeOut(Change.Launch change) implements Step {}

    record Confirm(List<Change.Launch> changes) implements Step {}
}
