package dev.jdyno.tune;

import dev.jdyno.compare.Note;
import dev.jdyno.tune.Tuned.Ablated;
import dev.jdyno.tune.Tuned.Tried;

/// Ignores the progress of a tuning.
class Deaf implements Watch {
    @Override
    public void plans(BudgetPlan plan) {
        // the tests read the result
    }

    @Override
    public void diagnosed(Diagnosed diagnosed) {
        // the tests read the result
    }

    @Override
    public void begins(Step step) {
        // the tests read the result
    }

    @Override
    public void starts(Step step, int start, int min, int max) {
        // the tests read the result
    }

    @Override
    public void soFar(Step step, Measured soFar) {
        // the tests read the result
    }

    @Override
    public void promising(Tried looked) {
        // the tests read the result
    }

    @Override
    public void tried(Tried tried) {
        // the tests read the result
    }

    @Override
    public void ablated(Ablated ablated) {
        // the tests read the result
    }

    @Override
    public void noted(Note note) {
        // the tests read the result
    }
}
