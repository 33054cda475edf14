package dev.jdyno.tune;

/// Hears how a tuning goes on.
public interface Watch {
    /// What the budget buys, once the service was diagnosed.
    void plans(BudgetPlan plan);

    void diagnosed(Diagnosed diagnosed);

    /// A look begins.
    void begins(Step step);

    /// A start of a comparison begins.
    ///
    /// @param start from 1
    /// @param least and most starts that it takes
    void starts(Step step, int start, int least, int most);

    /// What a comparison says after a start.
    void soFar(Step step, Measured soFar);

    /// A look found a candidate worth a comparison, which comes after all looks.
    void promising(Tuned.Tried looked);

    void tried(Tuned.Tried tried);

    void ablated(Tuned.Ablated ablated);
}
