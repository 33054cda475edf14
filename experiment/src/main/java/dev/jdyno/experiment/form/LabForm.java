package dev.jdyno.experiment.form;

import dev.jdyno.experiment.Comparison;
import dev.jdyno.experiment.Experiment;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// `jdyno/lab/1`: the published and the measured figures of an experiment. Keys are added, never
/// renamed.
public record LabForm(
        String schema,
        String id,
        String title,
        boolean holds,
        List<Row> rows,
        Optional<Double> predictionErrorQps,
        Optional<Double> predictionErrorRt,
        List<String> notes) {
    public static final String SCHEMA = "jdyno/lab/1";

    public static LabForm of(Comparison c) {
        return new LabForm(
                SCHEMA,
                c.id(),
                c.title(),
                c.holds(),
                c.rows().stream().map(Row::of).toList(),
                boxed(c.predictionError("1/s")),
                boxed(c.predictionError("ms")),
                c.notes());
    }

    private static Optional<Double> boxed(OptionalDouble v) {
        return v.isPresent() ? Optional.of(v.getAsDouble()) : Optional.empty();
    }

    /// One figure.
    public record Row(
            String figure,
            Optional<Double> published,
            Optional<Double> predicted,
            double measured,
            String unit,
            Optional<Boolean> holds,
            Optional<String> why) {
        private static Row of(Comparison.Row r) {
            return new Row(
                    r.figure(),
                    r.published(),
                    r.predicted(),
                    r.measured(),
                    r.unit(),
                    r.judged().map(Comparison.Judged::holds),
                    r.judged().flatMap(Comparison.Judged::why));
        }
    }

    /// A line of the list of experiments.
    public record Listed(String id, String title, boolean built) {
        public static Listed of(Experiment e) {
            return new Listed(e.id(), e.title(), true);
        }
    }
}
