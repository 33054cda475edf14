package dev.jdyno.measure.verdict;

import dev.jdyno.measure.text.Sentence;
import java.util.List;
import java.util.Optional;

/// A recommendation, with the gain it should bring.
///
/// @param change what it changes
/// @param says the same in a sentence
/// @param how where it is done, and how one sees that it worked
/// @param predictedQpsRatio best throughput after ÷ before; empty where no formula predicts it
/// @param predictedRtRatio response time at the same load after ÷ before
/// @param atMost whether the ratios are a bound: what is gained until the next known limit
/// @param formula what the ratios come from, or why there are none
/// @param measuredQpsRatio what it did bring; empty until tried
/// @param expected what the ratios come to in figures; empty where none are predicted
public record Recommendation(
        RecommendedChange change,
        Sentence says,
        String how,
        Optional<Double> predictedQpsRatio,
        Optional<Double> predictedRtRatio,
        boolean atMost,
        String formula,
        Optional<Double> measuredQpsRatio,
        Optional<Expected> expected) {
    /// {@link ChangeName#id} of its change.
    public String id() {
        return change.name().id();
    }

    /// The values of its change.
    public List<Change> changes() {
        return change.values();
    }

    /// Whether it can be tried without touching the code.
    public boolean tryable() {
        return change.isSetting();
    }

    /// Its change as `jdyno whatif` takes it; empty for a setting, whose pool or flag has a name of
    /// its own.
    public Optional<WhatIfChange> forWhatIf() {
        return change.written() instanceof WhatIfChange asked
                        && !changes().isEmpty()
                        && changes().stream()
                                .allMatch(c ->
                                        c instanceof Change.Code || c instanceof Change.Outside)
                ? Optional.of(asked)
                : Optional.empty();
    }

    /// Whether it shortens responses and gives no more throughput: its figures are for a load at
    /// which no request queues.
    public boolean isAboutResponseTime() {
        return predictedQpsRatio.filter(q -> q != 1).isEmpty()
                && predictedRtRatio.filter(rt -> rt < 1).isPresent();
    }

    /// Whether it is no change, but a measurement: nothing can be compared with it.
    public boolean isMeasurement() {
        return change.name() == KnownChange.MEASURE_NEXT;
    }

    /// The same with another prediction, which is no bound.
    public Recommendation predicting(double qpsRatio, double rtRatio, String from) {
        return predicting(Optional.of(qpsRatio), Optional.of(rtRatio), false, from);
    }

    /// The same with the prediction of another one.
    public Recommendation predictingAsOf(Recommendation other) {
        return predicting(
                other.predictedQpsRatio, other.predictedRtRatio, other.atMost, other.formula);
    }

    /// The same with a throughput that is no more than so many times as much. The response time
    /// then is no shorter than Little's law allows at the same load.
    ///
    /// @param most 1 or more
    /// @param because added to what the ratios come from
    public Recommendation noMoreThan(double most, String because) {
        return predicting(
                predictedQpsRatio.map(q -> Math.min(q, most)),
                predictedRtRatio.map(rt -> Math.max(rt, 1 / most)),
                atMost,
                formula + because);
    }

    /// The same without a prediction.
    ///
    /// @param why there is none
    public Recommendation notPredicting(String why) {
        return predicting(Optional.empty(), Optional.empty(), false, why);
    }

    private Recommendation predicting(
            Optional<Double> qpsRatio, Optional<Double> rtRatio, boolean bound, String from) {
        return new Recommendation(
                change,
                says,
                how,
                qpsRatio,
                rtRatio,
                bound,
                from,
                measuredQpsRatio,
                Optional.empty());
    }

    /// The same with what it should give in figures.
    public Recommendation expecting(Expected figures) {
        return expecting(Optional.of(figures));
    }

    /// The same with ratios alone.
    public Recommendation withoutExpected() {
        return expecting(Optional.empty());
    }

    private Recommendation expecting(Optional<Expected> figures) {
        return new Recommendation(
                change,
                says,
                how,
                predictedQpsRatio,
                predictedRtRatio,
                atMost,
                formula,
                measuredQpsRatio,
                figures);
    }
}
