package dev.jdyno.tune;

import dev.jdyno.compare.Note;

/// Receives the progress of a tuning.
public interface Watch {
    /// Called after the first diagnosis with the plan for the budget.
    void plans(BudgetPlan plan);

    void diagnosed(Diagnosed diagnosed);

    /// A look begins: one start of each variant.
    void begins(Step step);

    /// A start of a comparison begins.
    ///
    /// @param start number of the start, from 1
    /// @param min and most number of starts
    void starts(Step step, int start, int min, int max);

    /// The figures of a comparison after a start.
    void soFar(Step step, Measured soFar);

    /// A candidate was promising in its look. It is compared after all candidates have had a look.
    void promising(Tuned.Tried looked);

    void tried(Tuned.Tried tried);

    void ablated(Tuned.Ablated ablated);

    /// Called with a note that the result will have, too.
    void noted(Note note);
}
