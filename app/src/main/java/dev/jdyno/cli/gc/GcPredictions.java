package dev.jdyno.cli.gc;

import dev.jdyno.gclog.GcDiagnosis;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.heapmodel.forecast.HeapForecast;
import dev.jdyno.heapmodel.forecast.HeapForecaster;
import dev.jdyno.measure.gc.HeapObservation;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.sizing.HeapReading;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Asks the heap model what the heap that a diagnosis advises would have given the same run.
final class GcPredictions {
    /// The forecast was checked to four times the heap seen (docs/heap-forecasts.md).
    private static final double LARGEST_FACTOR = 4;

    /// A heap nearer to the one seen than this would be lost in the error.
    private static final double LEAST_FACTOR = 1.1;

    private GcPredictions() {}

    /// The same diagnoses; those that advise a heap carry a prediction where the log tells enough.
    static List<GcDiagnosis> of(Analysis a, List<GcDiagnosis> diagnoses) {
        if (!HeapReading.tellsEnough(a)) {
            return diagnoses;
        }
        HeapObservation seen = HeapReading.observation(a);
        Set<Double> heaps =
                diagnoses.stream()
                        .flatMap(d -> d.heapBytes().stream())
                        .filter(heap -> heap <= LARGEST_FACTOR * seen.heapBytes())
                        .filter(heap -> heap >= LEAST_FACTOR * seen.heapBytes())
                        .collect(Collectors.toSet());
        if (heaps.isEmpty()) {
            return diagnoses;
        }
        HeapForecaster forecaster = HeapForecaster.of(seen);
        Map<Double, String> words =
                heaps.stream()
                        .collect(
                                Collectors.toMap(
                                        heap -> heap,
                                        heap ->
                                                words(
                                                        a,
                                                        seen,
                                                        forecaster.at(
                                                                new Bytes(heap.longValue())))));
        return diagnoses.stream()
                .map(d ->
                        d.heapBytes()
                                .flatMap(heap -> Optional.ofNullable(words.get(heap)))
                                .map(d::withPrediction)
                                .orElse(d))
                .toList();
    }

    private static String words(Analysis a, HeapObservation seen, HeapForecast f) {
        HeapForecast.MedianError error = HeapForecast.MedianError.of(seen, f.heap());
        String full =
                seen.fullGcs() > 0 || f.fullGcs() >= 1
                        ? String.format(
                                Locale.ROOT,
                                ", %.0f of them full instead of %d",
                                f.fullGcs(),
                                seen.fullGcs())
                        : "";
        return String.format(
                Locale.ROOT,
                "with %s this run would have had %.0f collections instead of %d%s, %s of pauses"
                        + " instead of %s%s (median error of such forecasts: %d %% of the count,"
                        + " %d %% of the time)%s",
                f.heap(),
                f.gcs(),
                seen.gcs(),
                full,
                ms(f.pauseMs()),
                ms(seen.pauseMs()),
                cpu(a, seen, f),
                error.collectionsPct(),
                error.pausePct(),
                HeapReading.leftOut(a).map(words -> "; " + words).orElse(""));
    }

    /// CPU of the collector's threads in pauses goes with their time.
    private static String cpu(Analysis a, HeapObservation seen, HeapForecast f) {
        double cpuS = a.cpu().userS() + a.cpu().systemS();
        if (a.cpu().pauses() == 0 || seen.kind().isPauseless() || seen.pauseMs() <= 0) {
            return "";
        }
        return String.format(
                Locale.ROOT,
                ", %s of the collector's CPU instead of %s",
                ms(1000 * cpuS * f.pauseMs() / seen.pauseMs()),
                ms(1000 * cpuS));
    }

    private static String ms(double ms) {
        return Durations.format(Duration.ofNanos(Math.round(ms * 1e6)));
    }
}
