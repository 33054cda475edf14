package dev.jdyno.experiment;

import dev.jdyno.capacity.Prediction;
import dev.jdyno.capacity.ServiceModel;
import dev.jdyno.experiment.Bench.Searched;
import dev.jdyno.experiment.Comparison.Row;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.verdict.WhatIfChange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The effect of a change as `jdyno whatif` predicts it from the unchanged service, and the
/// measurement of the changed service.
///
/// @param says a description of the change, for the reader
record Changed(String says, Prediction predicted, Searched measured) {
    /// @param change as a user of `whatif` writes it
    /// @throws IllegalArgumentException if the service has nothing that the change applies to
    static Changed of(String says, Searched before, String change, Searched after) {
        return new Changed(says, model(before, change).predict(), after);
    }

    /// Returns the model of the unchanged service, with these changes applied.
    static ServiceModel model(Searched before, String... changes) {
        var problems = new Problems();
        var model =
                ServiceModel.of(
                        before.knee(),
                        before.capacity().demands(),
                        before.recording().rounds(),
                        before.recording().machine().cores(),
                        false);
        List<WhatIfChange> parsed =
                Arrays.stream(changes)
                        .flatMap(c -> WhatIfChange.parse(c, problems).stream())
                        .toList();
        ServiceModel changed = model.with(parsed, problems);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(problems.list().toString());
        }
        return changed;
    }

    /// Returns rows for throughput and for response time at the knee.
    List<Row> rows() {
        return List.of(
                row("QPS", predicted.qps(), measured.knee().qps(), "1/s"),
                row("RT at the knee", predicted.rtMs(), measured.knee().rtMs(), "ms"));
    }

    /// Returns the given rows, then those of the changes.
    static List<Row> and(List<Row> rows, Changed... changes) {
        List<Row> all = new ArrayList<>(rows);
        for (Changed c : changes) {
            all.addAll(c.rows());
        }
        return all;
    }

    private Row row(String figure, double predicted, double found, String unit) {
        return new Row(
                figure + ", " + says,
                Optional.empty(),
                Optional.of(predicted),
                found,
                unit,
                Optional.empty());
    }
}
