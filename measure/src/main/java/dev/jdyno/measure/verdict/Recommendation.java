package dev.jdyno.measure.verdict;

import dev.jdyno.measure.text.Sentence;
import java.util.List;
import java.util.Optional;

/// A recommendation, with the gain it should bring.
///
/// @param says what to do
/// @param change the same as a flag, a setting or a term of `jdyno whatif`, where there is one
/// @param changes the same as values; empty only in results of before there were any
/// @param how where it is done, and how one sees that it worked
/// @param predictedQpsRatio best throughput after ÷ before; empty where no formula predicts it
/// @param predictedRtRatio response time at the same load after ÷ before
/// @param atMost whether the ratios are a bound: what is gained until the next known limit
/// @param formula what the ratios come from, or why there are none
/// @param tryable whether it is a setting, which can be tried without touching the code
/// @param measuredQpsRatio what it did bring; empty until tried
/// @param expected what the ratios come to in figures; empty where none are predicted
public record Recommendation(
        String id,
        Sentence says,
        String change,
        List<Change> changes,
        String how,
        Optional<Double> predictedQpsRatio,
        Optional<Double> predictedRtRatio,
        boolean atMost,
        String formula,
        boolean tryable,
        Optional<Double> measuredQpsRatio,
        Optional<Expected> expected) {
    /// Id of the one that leads where no change gains: it says what limits, and what to measure
    /// next.
    public static final String MEASURE_NEXT = "measure-next";

    public Recommendation {
        changes = List.copyOf(changes);
    }

    /// Whether its change is written as `jdyno whatif` takes it: what only code or something
    /// outside the service can change has no flag.
    public boolean isForWhatIf() {
        return !change.isBlank()
                && !changes.isEmpty()
                && changes.stream()
                        .allMatch(c -> c instanceof Change.Code || c instanceof Change.Outside);
    }

    /// Whether it shortens responses and gives no more throughput: its figures are for a load at
    /// which no request queues.
    public boolean isAboutResponseTime() {
        return predictedQpsRatio.filter(q -> q != 1).isEmpty()
                && predictedRtRatio.filter(rt -> rt < 1).isPresent();
    }

    /// Whether it is no change, but a measurement: nothing can be compared with it.
    public boolean isMeasurement() {
        return id.equals(MEASURE_NEXT);
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
                id,
                says,
                change,
                changes,
                how,
                qpsRatio,
                rtRatio,
                bound,
                from,
                tryable,
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
                id,
                says,
                change,
                changes,
                how,
                predictedQpsRatio,
                predictedRtRatio,
                atMost,
                formula,
                tryable,
                measuredQpsRatio,
                figures);
    }
}
