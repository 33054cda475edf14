package dev.jdyno.sizing;

import dev.jdyno.gclog.GcDiagnosis;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.heapmodel.forecast.HeapForecast;
import dev.jdyno.heapmodel.forecast.HeapForecaster;
import dev.jdyno.measure.gc.HeapObservation;
import dev.jdyno.measure.text.Bytes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Forecasts of the same run on each heap size that the diagnoses of its GC log advise.
///
/// @param forecasts for each advised heap size, in bytes, its forecast
public record AdvisedHeaps(HeapObservation seen, Map<Double, HeapForecast> forecasts) {
    /// Maximum ratio of an advised heap to the observed one. Forecasts were checked up to this
    /// ratio (docs/heap-forecasts.md).
    private static final double LARGEST_FACTOR = 4;

    /// Minimum ratio of an advised heap to the observed one. Below it, the difference is within the
    /// forecast's error.
    private static final double MIN_FACTOR = 1.1;

    public AdvisedHeaps {
        forecasts = Map.copyOf(forecasts);
    }

    /// Forecasts each advised heap size. Empty if the log has too little data, or no advised heap
    /// is within these ratios.
    public static Optional<AdvisedHeaps> of(Analysis a, List<GcDiagnosis> diagnoses) {
        if (!HeapReading.isComplete(a)) {
            return Optional.empty();
        }
        HeapObservation seen = HeapReading.observation(a);
        Set<Double> heaps =
                diagnoses.stream()
                        .flatMap(d -> d.heapBytes().stream())
                        .filter(heap -> heap <= LARGEST_FACTOR * seen.heapBytes())
                        .filter(heap -> heap >= MIN_FACTOR * seen.heapBytes())
                        .collect(Collectors.toSet());
        if (heaps.isEmpty()) {
            return Optional.empty();
        }
        HeapForecaster forecaster = HeapForecaster.of(seen);
        return Optional.of(
                new AdvisedHeaps(
                        seen,
                        heaps.stream()
                                .collect(
                                        Collectors.toMap(
                                                heap -> heap,
                                                heap ->
                                                        forecaster.at(
                                                                new Bytes(heap.longValue()))))));
    }
}
