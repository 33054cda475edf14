package dev.jdyno.report.words.memory;

import dev.jdyno.gclog.GcDiagnosis;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.heapmodel.forecast.HeapForecast;
import dev.jdyno.measure.gc.HeapObservation;
import dev.jdyno.report.words.Figures;
import dev.jdyno.sizing.AdvisedHeaps;
import dev.jdyno.sizing.HeapReading;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The heap model's predictions for the heaps that the diagnoses of a GC log recommend, in words.
public final class GcPredictions {
    private GcPredictions() {}

    /// Returns the diagnoses with predictions. A diagnosis that recommends a heap gets a prediction
    /// if the log has enough data.
    public static List<GcDiagnosis> of(Analysis a, List<GcDiagnosis> diagnoses) {
        Optional<AdvisedHeaps> advised = AdvisedHeaps.of(a, diagnoses);
        if (advised.isEmpty()) {
            return diagnoses;
        }
        HeapObservation seen = advised.get().seen();
        Map<Double, String> words = new HashMap<>();
        advised.get().forecasts().forEach((heap, f) -> words.put(heap, words(a, seen, f)));
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
                Figures.time(f.pauseMs()),
                Figures.time(seen.pauseMs()),
                cpu(a, seen, f),
                error.collectionsPct(),
                error.pausePct(),
                HeapReading.leftOut(a).map(words -> "; " + words).orElse(""));
    }

    /// The predicted CPU of the collector. CPU time in pauses is assumed proportional to the pause
    /// time.
    private static String cpu(Analysis a, HeapObservation seen, HeapForecast f) {
        double cpuS = a.cpu().userS() + a.cpu().systemS();
        if (a.cpu().pauses() == 0 || seen.kind().isPauseless() || seen.pauseMs() <= 0) {
            return "";
        }
        return String.format(
                Locale.ROOT,
                ", %s of the collector's CPU instead of %s",
                Figures.time(1000 * cpuS * f.pauseMs() / seen.pauseMs()),
                Figures.time(1000 * cpuS));
    }
}
