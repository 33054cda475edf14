package dev.jdyno.tune;

import dev.jdyno.measure.verdict.Change;
import java.util.List;
import java.util.Optional;

/// One set of changes that are tried together.
///
/// @param id the recommendation's id, or `knob-` and the knob's name
/// @param says a short description of the changes
/// @param predictedQpsRatio empty if no formula predicts it
/// @param atMost whether the prediction is a bound
/// @param knobValue the knob's value on trial; empty if the candidate sets no knob
public record Candidate(
        String id,
        String says,
        List<Change.Launch> changes,
        Optional<Double> predictedQpsRatio,
        boolean atMost,
        Optional<KnobValue> knobValue) {
    /// A value of one of the plan's knobs.
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
