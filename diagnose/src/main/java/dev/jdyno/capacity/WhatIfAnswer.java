package dev.jdyno.capacity;

import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.verdict.Demand;
import dev.jdyno.measure.verdict.WhatIfChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What `jdyno whatif` answers: a service as it is, after each change, and how many machines a rate
/// takes.
///
/// @param at the bounds at the concurrency asked for
public record WhatIfAnswer(
        Given given, Optional<Bounds.LoadPoint> at, List<Row> rows, Optional<MachinePlan> plan) {
    /// @param seen what the user had measured; empty when only demands were given, or a result
    /// @param demands of a stored result, as they were measured
    public record Given(ServiceModel model, Optional<Seen> seen, List<Demand> demands) {
        public static Given of(ServiceModel model) {
            return new Given(model, Optional.empty(), List.of());
        }
    }

    /// @param path before it was set to the measured throughput
    public record Seen(Plateau plateau, RequestPath path) {
        public double utilisation() {
            return plateau.utilisation(path);
        }
    }

    /// One change and what it gives.
    public record Row(String change, Prediction prediction) {}

    /// The exact model's work grows with N; beyond this only the bounds answer (there they agree).
    private static final int MOST_EXACT = 100_000;

    public ServiceModel model() {
        return given.model();
    }

    public List<Bounds.Alone> alone() {
        return Bounds.alone(model().path());
    }

    /// What the exact closed model gives at a bound's concurrency; empty where it would take too
    /// long.
    public Optional<Bounds.LoadPoint> exact(Bounds.LoadPoint bound) {
        int n = (int) Math.min(bound.n(), MOST_EXACT + 1);
        return n < 1 || n > MOST_EXACT ? Optional.empty() : Optional.of(model().curve(n).getLast());
    }

    /// Each change alone, then all of them together.
    ///
    /// @param changes by what the user wrote
    /// @param problems gets each change that the model does not know
    public static List<Row> rows(
            ServiceModel model, Map<String, WhatIfChange> changes, Problems problems) {
        List<Row> rows = new ArrayList<>();
        changes.forEach((text, change) ->
                rows.add(new Row(text, model.with(List.of(change), problems).predict())));
        if (changes.size() > 1 && problems.isEmpty()) {
            rows.add(
                    new Row(
                            "all together",
                            model.with(List.copyOf(changes.values()), problems).predict()));
        }
        return rows;
    }
}
