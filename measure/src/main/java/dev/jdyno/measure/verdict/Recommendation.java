package dev.jdyno.measure.verdict;

import dev.jdyno.measure.text.Sentence;
import java.util.List;
import java.util.Optional;

/// A recommendation with its predicted gain.
///
/// @param change the change
/// @param says the change in a sentence
/// @param how where to make the change, and how to see its effect
/// @param predictedQpsRatio best throughput after ÷ before; empty if no formula predicts it
/// @param predictedRtRatio response time at the same load after ÷ before
/// @param atMost whether the ratios are a bound: the gain up to the next known limit
/// @param formula the source of the ratios, or why there are none
/// @param measuredQpsRatio the measured gain; empty until the change was tried
/// @param expected the ratios in figures; empty if none are predicted
/// @param settings the settings that the change sets, with their names and present values; empty if
///   it sets none, or if the change already names them
public record Recommendation(
        RecommendedChange change,
        Sentence says,
        String how,
        Optional<Double> predictedQpsRatio,
        Optional<Double> predictedRtRatio,
        boolean atMost,
        String formula,
        Optional<Double> measuredQpsRatio,
        Optional<Expected> expected,
        List<SettingValue> settings) {
    public Recommendation {
        settings = List.copyOf(settings);
    }

    /// A recommendation without named settings.
    public Recommendation(
            RecommendedChange change,
            Sentence says,
            String how,
            Optional<Double> predictedQpsRatio,
            Optional<Double> predictedRtRatio,
            boolean atMost,
            String formula,
            Optional<Double> measuredQpsRatio,
            Optional<Expected> expected) {
        this(
                change,
                says,
                how,
                predictedQpsRatio,
                predictedRtRatio,
                atMost,
                formula,
                measuredQpsRatio,
                expected,
                List.of());
    }

    /// The same recommendation with the settings that it changes.
    public Recommendation with(List<SettingValue> named) {
        return new Recommendation(
                change,
                says,
                how,
                predictedQpsRatio,
                predictedRtRatio,
                atMost,
                formula,
                measuredQpsRatio,
                expected,
                named);
    }

    /// {@link ChangeName#id} of its change.
    public String id() {
        return change.name().id();
    }

    /// The values of the recommended change.
    public List<Change> changes() {
        return change.values();
    }

    /// True if the change can be tried without changing code.
    public boolean tryable() {
        return change.isSetting();
    }

    /// The change in the syntax of `jdyno whatif`. Empty for a setting, because its pool or flag
    /// has a name of its own.
    public Optional<WhatIfChange> forWhatIf() {
        return change.written() instanceof WhatIfChange asked
                        && !changes().isEmpty()
                        && changes().stream()
                                .allMatch(c -> c.isOfCode() || c instanceof Change.Outside)
                ? Optional.of(asked)
                : Optional.empty();
    }

    /// True if the change shortens responses without more throughput. Its figures are for a load at
    /// which no request queues.
    public boolean isAboutResponseTime() {
        return predictedQpsRatio.filter(q -> q != 1).isEmpty()
                && predictedRtRatio.filter(rt -> rt < 1).isPresent();
    }

    /// True if the recommendation is a measurement and not a change. A measurement cannot be
    /// compared.
    public boolean isMeasurement() {
        return change.name() == KnownChange.MEASURE_NEXT;
    }

    /// The same recommendation with another prediction, which is not a bound.
    public Recommendation predicting(double qpsRatio, double rtRatio, String from) {
        return predicting(Optional.of(qpsRatio), Optional.of(rtRatio), false, from);
    }

    /// The same recommendation with the prediction that another recommendation has.
    public Recommendation predictingAsOf(Recommendation other) {
        return predicting(
                other.predictedQpsRatio, other.predictedRtRatio, other.atMost, other.formula);
    }

    /// The same recommendation with the throughput ratio limited to `max`. The response time is
    /// then no shorter than Little's law allows at the same load.
    ///
    /// @param max 1 or more
    /// @param because text that is added to the source of the ratios
    public Recommendation noMoreThan(double max, String because) {
        return predicting(
                predictedQpsRatio.map(q -> Math.min(q, max)),
                predictedRtRatio.map(rt -> Math.max(rt, 1 / max)),
                atMost,
                formula + because);
    }

    /// The same recommendation without a prediction.
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
                Optional.empty(),
                settings);
    }

    /// The same recommendation with its expected figures.
    public Recommendation expecting(Expected figures) {
        return expecting(Optional.of(figures));
    }

    /// The same recommendation with ratios only.
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
                figures,
                settings);
    }
}
