package dev.jdyno.experiment.form;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.jdyno.experiment.labelled.Labelled;
import dev.jdyno.measure.statistics.Interval;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// `jdyno/labelled/1`: how often the diagnosis was right on planted bottlenecks.
public record LabelledForm(
        String schema,
        long run,
        long right,
        long amongTwo,
        long misleading,
        Interval accuracyCi95,
        Interval amongTwoCi95,
        Map<String, Map<String, Long>> confusion,
        List<Row> rows) {
    public static LabelledForm of(Labelled l) {
        return new LabelledForm(
                "jdyno/labelled/1",
                l.run(),
                l.right(),
                l.amongTwo(),
                l.misleading(),
                l.accuracyCi95(),
                l.amongTwoCi95(),
                l.confusion(),
                l.rows().stream().map(Row::of).toList());
    }

    /// One run of one case.
    @JsonPropertyOrder("case")
    public record Row(
            @JsonProperty("case") String name,
            String planted,
            String named,
            String where,
            double confidence,
            String second,
            boolean right,
            Optional<String> failure) {
        private static Row of(Labelled.Row r) {
            return new Row(
                    r.planted().name(),
                    r.planted().bottleneck(),
                    r.said(),
                    r.where(),
                    r.confidence(),
                    r.second(),
                    r.isRight(),
                    r.failure());
        }
    }
}
