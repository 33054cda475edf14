package dev.jdyno.tune;

import dev.jdyno.measure.verdict.Change;
import java.util.List;

/// What is measured next.
public sealed interface Step {
    /// One start of it.
    record Look(Candidate candidate) implements Step {}

    /// Several, until it is decided.
    record Prove(Candidate candidate) implements Step {}

    record TakeOut(Change change) implements Step {}

    record Confirm(List<Change> changes) implements Step {}
}
