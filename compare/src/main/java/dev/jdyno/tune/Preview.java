package dev.jdyno.tune;

import dev.jdyno.compare.Note;
import java.util.List;

/// The baseline's diagnosis and the candidates that a tuning would try. A preview tries none.
///
/// @param first maximum number of candidates that are looked at before the best of them are
///   compared
/// @param plan the use of the budget, as a tuning prints it
public record Preview(
        Diagnosed baseline,
        List<Candidate> candidates,
        int first,
        BudgetPlan plan,
        List<Note> notes) {
    public Preview {
        candidates = List.copyOf(candidates);
        notes = List.copyOf(notes);
    }
}
