package dev.jdyno.capacity;

import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.verdict.Demand;
import dev.jdyno.measure.verdict.WhatIfChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The answer of `jdyno whatif`: predictions for a service as it is and after each change, and the
/// number of machines for a rate.
///
/// @param at the bounds at the requested concurrency
public record WhatIfAnswer(
        Given given, Optional<Bounds.LoadPoint> at, List<Row> rows, Optional<MachinePlan> plan) {
    /// @param seen the user's measurement; empty if the user gave only demands, or for a stored
    ///   result
    /// @param demands the measured demands of a stored result
    public record Given(ServiceModel model, Optional<Seen> seen, List<Demand> demands) {
        public static Given of(ServiceModel model) {
            return new Given(model, Optional.empty(), List.of());
        }
    }

    /// @param path the path before its calibration to the measured throughput
    public record Seen(Plateau plateau, RequestPath path) {
        public double utilisation() {
            return plateau.utilisation(path);
        }
    }

    /// One change and its prediction.
    public record Row(String change, Prediction prediction) {}

    /// Maximum N for the exact model, because its computing time grows with N. Above it the answer
    /// consists of the bounds only, which agree with the model there.
    private static final int MAX_EXACT = 100_000;

    public ServiceModel model() {
        return given.model();
    }

    public List<Bounds.Alone> alone() {
        return Bounds.alone(model().path());
    }

    /// Returns the result of the exact closed model at a bound's concurrency; empty if it would
    /// take too long.
    public Optional<Bounds.LoadPoint> exact(Bounds.LoadPoint bound) {
        int n = (int) Math.min(bound.n(), MAX_EXACT + 1);
        return n < 1 || n > MAX_EXACT ? Optional.empty() : Optional.of(model().curve(n).getLast());
    }

    /// Returns the results of each change alone, then of all together.
    ///
    /// @param changes the changes, by the user's text
    /// @param problems receives each change that the model does not know
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
