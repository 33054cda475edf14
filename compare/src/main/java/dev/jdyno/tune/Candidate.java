package dev.jdyno.tune;

import dev.jdyno.measure.verdict.Change;
import java.util.List;
import java.util.Optional;

/// One set of changes that is tried at once.
///
/// @param id of the recommendation, or `knob-` and the knob's name
/// @param says what it does, in a few words
/// @param predictedQpsRatio empty where no formula predicts it
/// @param atMost whether the prediction is a bound
/// @param knobValue which value of which knob it is; empty for others
public record Candidate(
        String id,
        String says,
        List<Change.Launch> changes,
        Optional<Double> predictedQpsRatio,
        boolean atMost,
        Optional<KnobValue> knobValue) {
    /// A value of a knob of the plan's.
    public record KnobValue(String knob, String value) {}

    Candidate(
            String id,
            String says,
            List<Change.Launch> changes,
            Optional<Double> predictedQpsRatio,
            boolean atMost) {
        this(id, says, changes, predictedQpsRatio, atMost, Optional.empty());
    }

    public Candidate {
        changes = List.copyOf(changes);
    }

    static Candidate of(KnobValue value, Change.Launch change) {
        return new Candidate(
                "knob-" + value.knob(),
                value.knob() + "=" + value.value(),
                List.of(change),
                Optional.empty(),
                false,
                Optional.of(value));
    }
}
