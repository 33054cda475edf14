package dev.jdyno.tune;

import dev.jdyno.compare.Note;
import java.util.List;

/// The baseline's diagnosis and the candidates that a tuning would try. A preview tries none.
///
/// @param atOnce number of candidates that are started at once for a look, before the best of them
///   are compared
public record Preview(
        Diagnosed baseline, List<Candidate> candidates, int atOnce, Costs costs, List<Note> notes) {
    public Preview {
        candidates = List.copyOf(candidates);
        notes = List.copyOf(notes);
    }
}
