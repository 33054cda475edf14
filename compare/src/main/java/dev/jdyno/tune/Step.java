package dev.jdyno.tune;

import dev.jdyno.measure.verdict.Change;
import java.util.List;

/// What is measured next.
public sealed interface Step {
    /// For the journal's reader: what is measured, by the ids of its changes.
    default String about() {
        return switch (this) {
            case Look(Candidate candidate) -> "look: " + Changes.ids(candidate.changes());
            case Prove(Candidate candidate) -> "prove: " + Changes.ids(candidate.changes());
            case TakeOut(Change.Launch change) -> "take out: " + change.id();
            case Confirm(List<Change.Launch> changes) -> "confirm: " + Changes.ids(changes);
        };
    }

    /// One start of it.
    record Look(Candidate candidate) implements Step {}

    /// Several, until it is decided.
    record Prove(Candidate candidate) implements Step {}

    record TakeOut(Change.Launch change) implements Step {}

    record Confirm(List<Change.Launch> changes) implements Step {}
}
